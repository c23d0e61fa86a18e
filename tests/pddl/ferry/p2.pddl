(define (problem six-cars) (:domain ferry)
  (:objects a b c d e f - car north south east west - landing)
  (:init (at-ferry west) (empty-ferry) (parked a north) (parked b south) (parked c south) (parked d east) (parked e west) (parked f west))
  (:goal (forall (?c - car) (parked ?c east))))
