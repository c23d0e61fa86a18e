; Robots paint tiles above and below them.
(define (domain floortile)
  (:requirements :strips :typing :action-costs :negative-preconditions)
  (:types robot tile colour)
  (:predicates (robot-at ?r - robot ?x - tile) (up ?x ?y - tile) (right ?x ?y - tile) (clear ?x - tile)
    (painted ?x - tile ?c - colour) (robot-has ?r - robot ?c - colour))
  (:functions (total-cost) - number)
  (:action change-colour
    :parameters (?r - robot ?c ?c2 - colour)
    :precondition (robot-has ?r ?c)
    :effect (and (not (robot-has ?r ?c)) (robot-has ?r ?c2) (increase (total-cost) 5)))
  (:action paint-up
    :parameters (?r - robot ?y ?x - tile ?c - colour)
    :precondition (and (robot-has ?r ?c) (robot-at ?r ?x) (up ?y ?x) (clear ?y))
    :effect (and (not (clear ?y)) (painted ?y ?c) (increase (total-cost) 2)))
  (:action move-up
    :parameters (?r - robot ?x ?y - tile)
    :precondition (and (robot-at ?r ?x) (up ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (not (robot-at ?r ?x)) (clear ?x) (not (clear ?y)) (increase (total-cost) 3)))
  (:action move-down
    :parameters (?r - robot ?x ?y - tile)
    :precondition (and (robot-at ?r ?x) (up ?x ?y) (clear ?y))
    :effect (and (robot-at ?r ?y) (not (robot-at ?r ?x)) (clear ?x) (not (clear ?y)) (increase (total-cost) 1)))
  (:action move-right
    :parameters (?r - robot ?x ?y - tile)
    :precondition (and (robot-at ?r ?x) (right ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (not (robot-at ?r ?x)) (clear ?x) (not (clear ?y)) (increase (total-cost) 1))))
