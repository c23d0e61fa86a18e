(define (problem three-cars) (:domain ferry)
  (:objects a b c - car north south east - landing)
  (:init (at-ferry north) (empty-ferry) (parked a north) (parked b south) (parked c south))
  (:goal (and (parked a south) (parked b north))))
