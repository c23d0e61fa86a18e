; Drivers walk on paths and drive trucks on links.
(define (domain driverlog)
  (:requirements :strips :typing)
  (:types location locatable - object driver truck package - locatable)
  (:predicates (at ?x - locatable ?l - location) (in ?p - package ?t - truck) (driving ?d - driver ?t - truck)
    (link ?x ?y - location) (path ?x ?y - location) (empty ?t - truck))
  (:action load-truck
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (at ?p ?l))
    :effect (and (not (at ?p ?l)) (in ?p ?t)))
  (:action unload-truck
    :parameters (?p - package ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (in ?p ?t))
    :effect (and (not (in ?p ?t)) (at ?p ?l)))
  (:action board-truck
    :parameters (?d - driver ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (at ?d ?l) (empty ?t))
    :effect (and (not (at ?d ?l)) (driving ?d ?t) (not (empty ?t))))
  (:action disembark-truck
    :parameters (?d - driver ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (driving ?d ?t))
    :effect (and (not (driving ?d ?t)) (at ?d ?l) (empty ?t)))
  (:action drive-truck
    :parameters (?t - truck ?from ?to - location ?d - driver)
    :precondition (and (at ?t ?from) (driving ?d ?t) (link ?from ?to))
    :effect (and (not (at ?t ?from)) (at ?t ?to)))
  (:action walk
    :parameters (?d - driver ?from ?to - location)
    :precondition (and (at ?d ?from) (path ?from ?to))
    :effect (and (not (at ?d ?from)) (at ?d ?to))))
