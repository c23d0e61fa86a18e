(define (problem three-jugs) (:domain jugs)
  (:objects a b c - jug)
  (:init (= (amount a) 0) (= (amount b) 3) (= (amount c) 1) (= (capacity a) 5) (= (capacity b) 3) (= (capacity c) 4))
  (:goal (= (amount c) 2)))
