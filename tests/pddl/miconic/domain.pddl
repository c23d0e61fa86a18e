; A lift: who waits on a floor boards when it stops there, and who wants to go there gets out.
(define (domain miconic)
  (:requirements :adl :typing)
  (:types passenger floor - object)
  (:predicates (origin ?p - passenger ?f - floor) (destin ?p - passenger ?f - floor) (above ?f1 ?f2 - floor)
               (boarded ?p - passenger) (served ?p - passenger) (lift-at ?f - floor))
  (:action stop
    :parameters (?f - floor)
    :precondition (lift-at ?f)
    :effect (and (forall (?p - passenger)
                   (when (and (boarded ?p) (destin ?p ?f)) (and (not (boarded ?p)) (served ?p))))
                 (forall (?p - passenger)
                   (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))))
  (:action up
    :parameters (?f1 ?f2 - floor)
    :precondition (and (lift-at ?f1) (above ?f1 ?f2))
    :effect (and (lift-at ?f2) (not (lift-at ?f1))))
  (:action down
    :parameters (?f1 ?f2 - floor)
    :precondition (and (lift-at ?f1) (above ?f2 ?f1))
    :effect (and (lift-at ?f2) (not (lift-at ?f1)))))
