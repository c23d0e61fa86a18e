; Water is poured between jugs until one is full or the other empty.
(define (domain jugs)
  (:requirements :typing :numeric-fluents :equality :negative-preconditions :disjunctive-preconditions)
  (:types jug)
  (:predicates (sealed ?j - jug))
  (:functions (amount ?j - jug) (capacity ?j - jug))
  (:action fill
    :parameters (?j - jug)
    :precondition (and (< (amount ?j) (capacity ?j)) (not (sealed ?j)))
    :effect (assign (amount ?j) (capacity ?j)))
  (:action empty-out
    :parameters (?j - jug)
    :precondition (and (> (amount ?j) 0) (not (sealed ?j)))
    :effect (assign (amount ?j) 0))
  (:action pour-all
    :parameters (?from ?to - jug)
    :precondition (and (not (= ?from ?to)) (> (amount ?from) 0) (<= (+ (amount ?from) (amount ?to)) (capacity ?to)) (not (sealed ?from)))
    :effect (and (increase (amount ?to) (amount ?from)) (assign (amount ?from) 0)))
  (:action pour-some
    :parameters (?from ?to - jug)
    :precondition (and (not (= ?from ?to)) (> (+ (amount ?from) (amount ?to)) (capacity ?to)) (< (amount ?to) (capacity ?to)) (not (sealed ?to)))
    :effect (and (decrease (amount ?from) (- (capacity ?to) (amount ?to))) (assign (amount ?to) (capacity ?to))))
  (:action seal
    :parameters (?j - jug)
    :precondition (and (not (sealed ?j)) (= (amount ?j) 2))
    :effect (sealed ?j)))
