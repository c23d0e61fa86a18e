; Sandwiches for children, some of whom bear no gluten; the kitchen is a constant.
(define (domain child-snack)
  (:requirements :typing :equality :negative-preconditions)
  (:types child bread content sandwich tray place)
  (:constants kitchen - place)
  (:predicates (bread-here ?b - bread) (content-here ?c - content) (sandwich-here ?s - sandwich) (no-gluten-bread ?b - bread)
    (no-gluten-content ?c - content) (on-tray ?s - sandwich ?t - tray) (no-gluten-sandwich ?s - sandwich) (allergic ?c - child)
    (served ?c - child) (waiting ?c - child ?p - place) (standing ?t - tray ?p - place) (unmade ?s - sandwich))
  (:action make-sandwich
    :parameters (?s - sandwich ?b - bread ?c - content)
    :precondition (and (bread-here ?b) (content-here ?c) (unmade ?s))
    :effect (and (not (bread-here ?b)) (not (content-here ?c)) (not (unmade ?s)) (sandwich-here ?s)
      (when (and (no-gluten-bread ?b) (no-gluten-content ?c)) (no-gluten-sandwich ?s))))
  (:action put-on-tray
    :parameters (?s - sandwich ?t - tray)
    :precondition (and (sandwich-here ?s) (standing ?t kitchen))
    :effect (and (not (sandwich-here ?s)) (on-tray ?s ?t)))
  (:action serve
    :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
    :precondition (and (not (served ?c)) (waiting ?c ?p) (on-tray ?s ?t) (standing ?t ?p) (or (not (allergic ?c)) (no-gluten-sandwich ?s)))
    :effect (and (not (on-tray ?s ?t)) (served ?c)))
  (:action move-tray
    :parameters (?t - tray ?from ?to - place)
    :precondition (and (standing ?t ?from) (not (= ?from ?to)))
    :effect (and (not (standing ?t ?from)) (standing ?t ?to))))
