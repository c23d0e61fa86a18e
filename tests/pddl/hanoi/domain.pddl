; Discs move between pegs, the smaller onto the larger.
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types disc peg - thing)
  (:predicates (clear ?x - thing) (on ?d - disc ?x - thing) (smaller ?d - disc ?x - thing))
  (:action move
    :parameters (?d - disc ?from ?to - thing)
    :precondition (and (smaller ?d ?to) (on ?d ?from) (clear ?d) (clear ?to))
    :effect (and (clear ?from) (on ?d ?to) (not (on ?d ?from)) (not (clear ?to)))))
