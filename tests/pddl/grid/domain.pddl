; A robot with one arm opens locked cells with keys of the right shape.
(define (domain grid)
  (:requirements :strips :typing)
  (:types cell shape key)
  (:predicates (joined ?x ?y - cell) (key-shape ?k - key ?s - shape) (lock-shape ?x - cell ?s - shape)
    (lying ?k - key ?x - cell) (at-robot ?x - cell) (locked ?x - cell) (open ?x - cell) (holding ?k - key) (arm-empty))
  (:action unlock
    :parameters (?here ?there - cell ?k - key ?s - shape)
    :precondition (and (joined ?here ?there) (key-shape ?k ?s) (lock-shape ?there ?s) (at-robot ?here) (locked ?there) (holding ?k))
    :effect (and (open ?there) (not (locked ?there))))
  (:action move
    :parameters (?here ?there - cell)
    :precondition (and (at-robot ?here) (joined ?here ?there) (open ?there))
    :effect (and (at-robot ?there) (not (at-robot ?here))))
  (:action pickup
    :parameters (?here - cell ?k - key)
    :precondition (and (at-robot ?here) (lying ?k ?here) (arm-empty))
    :effect (and (holding ?k) (not (lying ?k ?here)) (not (arm-empty))))
  (:action swap
    :parameters (?here - cell ?new ?old - key)
    :precondition (and (at-robot ?here) (holding ?old) (lying ?new ?here))
    :effect (and (holding ?new) (lying ?old ?here) (not (holding ?old)) (not (lying ?new ?here))))
  (:action putdown
    :parameters (?here - cell ?k - key)
    :precondition (and (at-robot ?here) (holding ?k))
    :effect (and (arm-empty) (lying ?k ?here) (not (holding ?k)))))
