(define (problem two-people) (:domain miconic)
  (:objects p0 p1 - passenger f0 f1 f2 - floor)
  (:init (above f0 f1) (above f0 f2) (above f1 f2) (origin p0 f0) (destin p0 f2) (origin p1 f1) (destin p1 f0) (lift-at f2))
  (:goal (and (served p0) (served p1))))
