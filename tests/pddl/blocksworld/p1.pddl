(define (problem seven) (:domain blocksworld)
  (:objects a b c d e f g - block)
  (:init (handempty) (ontable a) (on b a) (on c b) (clear c) (ontable d) (on e d) (clear e) (ontable f) (clear f) (ontable g) (clear g))
  (:goal (and (on a b) (on b c))))
