; A robot visits cells; a guard may stand in its way.
(define (domain visit-all)
  (:requirements :strips :typing :existential-preconditions :negative-preconditions)
  (:types robot guard - walker cell)
  (:predicates (stands ?w - walker ?c - cell) (adjacent ?x ?y - cell) (visited ?c - cell))
  (:action go
    :parameters (?r - robot ?x ?y - cell)
    :precondition (and (stands ?r ?x) (adjacent ?x ?y) (not (exists (?g - guard) (stands ?g ?y))))
    :effect (and (stands ?r ?y) (not (stands ?r ?x)) (visited ?y)))
  (:action patrol
    :parameters (?g - guard ?x ?y - cell)
    :precondition (and (stands ?g ?x) (adjacent ?x ?y) (forall (?r - robot) (imply (stands ?r ?y) (visited ?y))))
    :effect (and (stands ?g ?y) (not (stands ?g ?x)))))
