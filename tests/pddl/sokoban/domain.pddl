; A player pushes stones over squares.
(define (domain sokoban)
  (:requirements :typing :negative-preconditions :disjunctive-preconditions)
  (:types square direction stone)
  (:predicates (next-to ?x ?y - square ?d - direction) (player-at ?x - square) (stone-at ?s - stone ?x - square) (blocked ?x - square))
  (:action walk
    :parameters (?x ?y - square ?d - direction)
    :precondition (and (player-at ?x) (next-to ?x ?y ?d) (not (blocked ?y)))
    :effect (and (player-at ?y) (not (player-at ?x))))
  (:action push
    :parameters (?s - stone ?x ?y ?z - square ?d - direction)
    :precondition (and (player-at ?x) (stone-at ?s ?y) (next-to ?x ?y ?d) (next-to ?y ?z ?d) (not (or (blocked ?z) (not (blocked ?y)))))
    :effect (and (player-at ?y) (not (player-at ?x)) (stone-at ?s ?z) (not (stone-at ?s ?y)) (blocked ?z) (not (blocked ?y)))))
