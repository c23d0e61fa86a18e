(define (problem two-cities) (:domain logistics)
  (:objects berlin rome - city tegel ciampino - airport b-post r-post - location
            p1 p2 p3 - package bt rt - truck plane - airplane)
  (:init (in-city tegel berlin) (in-city b-post berlin) (in-city ciampino rome) (in-city r-post rome)
         (at plane tegel) (at bt b-post) (at rt ciampino) (at p1 b-post) (at p2 b-post) (at p3 r-post))
  (:goal (and (at p1 r-post) (at p3 b-post))))
