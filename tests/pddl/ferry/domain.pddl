; Cars cross the water on a ferry that has room for one.
(define (domain ferry)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types car landing)
  (:predicates (at-ferry ?l - landing) (parked ?c - car ?l - landing) (aboard ?c - car) (empty-ferry))
  (:action sail
    :parameters (?from ?to - landing)
    :precondition (and (not (= ?from ?to)) (at-ferry ?from))
    :effect (and (at-ferry ?to) (not (at-ferry ?from))))
  (:action board
    :parameters (?c - car ?l - landing)
    :precondition (and (parked ?c ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (aboard ?c) (not (parked ?c ?l)) (not (empty-ferry))))
  (:action debark
    :parameters (?c - car ?l - landing)
    :precondition (and (aboard ?c) (at-ferry ?l))
    :effect (and (parked ?c ?l) (empty-ferry) (not (aboard ?c)))))
