; Rovers take samples and pictures, and send what they found.
(define (domain rovers)
  (:requirements :strips :typing)
  (:types rover waypoint store camera mode lander objective)
  (:predicates (at ?r - rover ?w - waypoint) (at-lander ?l - lander ?w - waypoint)
    (can-traverse ?r - rover ?x ?y - waypoint) (equipped-for-soil ?r - rover) (equipped-for-imaging ?r - rover)
    (empty ?s - store) (full ?s - store) (have-soil ?r - rover ?w - waypoint) (calibrated ?c - camera ?r - rover)
    (supports ?c - camera ?m - mode) (visible ?x ?y - waypoint) (have-image ?r - rover ?o - objective ?m - mode)
    (sent-soil ?w - waypoint) (sent-image ?o - objective ?m - mode) (soil-at ?w - waypoint)
    (visible-from ?o - objective ?w - waypoint) (store-of ?s - store ?r - rover)
    (calibration-target ?c - camera ?o - objective) (on-board ?c - camera ?r - rover) (channel-free ?l - lander))
  (:action navigate
    :parameters (?r - rover ?y ?z - waypoint)
    :precondition (and (can-traverse ?r ?y ?z) (at ?r ?y) (visible ?y ?z))
    :effect (and (not (at ?r ?y)) (at ?r ?z)))
  (:action sample-soil
    :parameters (?r - rover ?s - store ?p - waypoint)
    :precondition (and (at ?r ?p) (soil-at ?p) (equipped-for-soil ?r) (store-of ?s ?r) (empty ?s))
    :effect (and (not (empty ?s)) (full ?s) (have-soil ?r ?p) (not (soil-at ?p))))
  (:action drop
    :parameters (?r - rover ?s - store)
    :precondition (and (store-of ?s ?r) (full ?s))
    :effect (and (not (full ?s)) (empty ?s)))
  (:action calibrate
    :parameters (?r - rover ?c - camera ?o - objective ?w - waypoint)
    :precondition (and (equipped-for-imaging ?r) (calibration-target ?c ?o) (at ?r ?w) (visible-from ?o ?w) (on-board ?c ?r))
    :effect (calibrated ?c ?r))
  (:action take-image
    :parameters (?r - rover ?w - waypoint ?o - objective ?c - camera ?m - mode)
    :precondition (and (calibrated ?c ?r) (on-board ?c ?r) (equipped-for-imaging ?r) (supports ?c ?m) (visible-from ?o ?w) (at ?r ?w))
    :effect (and (have-image ?r ?o ?m) (not (calibrated ?c ?r))))
  (:action send-soil
    :parameters (?r - rover ?l - lander ?p ?x ?y - waypoint)
    :precondition (and (at ?r ?x) (at-lander ?l ?y) (have-soil ?r ?p) (visible ?x ?y) (channel-free ?l))
    :effect (and (sent-soil ?p) (not (channel-free ?l)) (channel-free ?l)))
  (:action send-image
    :parameters (?r - rover ?l - lander ?o - objective ?m - mode ?x ?y - waypoint)
    :precondition (and (at ?r ?x) (at-lander ?l ?y) (have-image ?r ?o ?m) (visible ?x ?y) (channel-free ?l))
    :effect (and (sent-image ?o ?m))))
