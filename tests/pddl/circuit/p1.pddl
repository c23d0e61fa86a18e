(define (problem ring) (:domain circuit)
  (:objects n1 n2 n3 - node s1 s2 s3 s4 - switch l1 l2 - lamp)
  (:init (between s1 battery n1) (between s2 n1 n2) (between s3 n2 n3) (between s4 n3 n1) (fed-by l1 n2) (fed-by l2 n3) (closed s2) (closed s4))
  (:goal (lit l1)))
