; Lamps are lit where current comes through closed switches: what is live is derived, in circles too.
(define (domain circuit)
  (:requirements :adl :derived-predicates)
  (:types node switch lamp)
  (:constants battery - node)
  (:predicates (between ?s - switch ?x ?y - node) (closed ?s - switch) (live ?x - node) (fed-by ?l - lamp ?x - node)
    (broken ?l - lamp) (lit ?l - lamp) (dark))
  (:derived (live ?x - node)
    (or (= ?x battery) (exists (?y - node ?s - switch) (and (live ?y) (closed ?s) (or (between ?s ?x ?y) (between ?s ?y ?x))))))
  (:derived (lit ?l - lamp) (and (not (broken ?l)) (exists (?x - node) (and (fed-by ?l ?x) (live ?x)))))
  (:derived (dark) (forall (?l - lamp) (not (lit ?l))))
  (:action flip
    :parameters (?s - switch)
    :effect (and (when (closed ?s) (not (closed ?s))) (when (not (closed ?s)) (closed ?s))))
  (:action smash
    :parameters (?l - lamp)
    :precondition (not (lit ?l))
    :effect (broken ?l))
  (:action repair-all
    :parameters ()
    :precondition (dark)
    :effect (forall (?l - lamp) (when (broken ?l) (not (broken ?l))))))
