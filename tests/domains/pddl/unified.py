"""States of a planning domain, with what follows from them, to whether unified-planning's simulator says the same.

unified.py FOLDER STATES: FOLDER has domain.pddl and the problems, STATES one JSON object a line, as worlds.rs writes them.
"""

import json
import pathlib
import sys

from unified_planning.engines import UPSequentialSimulator
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import FALSE, TRUE, Int, get_environment

get_environment().credits_stream = None

folder, states = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
domain = (folder / "domain.pddl").read_text()
problems = sorted(path for path in folder.glob("*.pddl") if path.name != "domain.pddl")


def types(number):
    """What each object of a problem is."""
    problem = PDDLReader().parse_problem(str(folder / "domain.pddl"), str(problems[number]))
    constants = {o.name for o in PDDLReader().parse_problem(str(folder / "domain.pddl")).all_objects}
    return {o.name: o.type.name if o.type is not None else "object" for o in problem.all_objects}, constants


def world(line):
    """The problem of a world: some objects, and what never changes among the rest."""
    known, constants = types(line["problem"])
    name = PDDLReader().parse_problem(str(folder / "domain.pddl")).name
    own = [o for o in line["objects"] if o not in constants]
    plain = set(known.values()) <= {"object"}
    objects = " ".join(o if plain else f"{o} - {known[o]}" for o in own)
    init = " ".join(f"({' '.join(atom)})" for atom in line["atoms"])
    init += " ".join(f" (= ({' '.join(function)}) {value})" for function, value in line["numbers"])
    if "total-cost" in domain:
        init += " (= (total-cost) 0)"
    text = f"(define (problem p) (:domain {name}) (:objects {objects}) (:init {init}) (:goal (and)))"
    problem = PDDLReader().parse_problem_string(domain, text)
    return problem, UPSequentialSimulator(problem, error_on_failed_checks=False)


def key(expression):
    return (expression.fluent().name, *(str(argument) for argument in expression.args))


def of(problem, simulator, line_atoms, line_numbers):
    """A state as the simulator has it."""
    atoms = {tuple(atom) for atom in line_atoms}
    numbers = {tuple(function): value for function, value in line_numbers}
    values = {}
    for expression in problem.initial_values:
        if expression.fluent().name == "total-cost":
            values[expression] = Int(0)
        elif expression.type.is_bool_type():
            values[expression] = TRUE() if key(expression) in atoms else FALSE()
        else:
            values[expression] = Int(numbers[key(expression)])
    return simulator.get_initial_state().make_child(values)


def told(problem, state):
    """What is true in a state, and the numbers."""
    atoms, numbers = set(), {}
    for expression in problem.initial_values:
        if expression.fluent().name == "total-cost":
            continue
        value = state.get_value(expression)
        if expression.type.is_bool_type():
            if value.is_true():
                atoms.add(key(expression))
        else:
            numbers[key(expression)] = value.constant_value()
    return atoms, numbers


worlds, steps, lines = {}, 0, 0
for text in states.read_text().splitlines():
    line = json.loads(text)
    which = (line["problem"], *line["objects"])
    if which not in worlds:
        worlds[which] = world(line)
    problem, simulator = worlds[which]
    state = of(problem, simulator, line["atoms"], line["numbers"])
    judged = {tuple(action): (atoms, numbers) for action, atoms, numbers in line["next"]}
    found = {}
    for action, arguments in simulator.get_applicable_actions(state):
        found[(action.name, *(str(argument) for argument in arguments))] = (action, arguments)
    if set(found) != set(judged):
        sys.exit(f"in {line['atoms']}: only here {set(found) - set(judged)}, only there {set(judged) - set(found)}")
    for name, (action, arguments) in found.items():
        after = told(problem, simulator.apply_unsafe(state, action, arguments))
        atoms, numbers = judged[name]
        expected = ({tuple(atom) for atom in atoms}, {tuple(f): value for f, value in numbers})
        if after != expected:
            sys.exit(f"after {name} in {line['atoms']}: {after} rather than {expected}")
        steps += 1
    lines += 1
print(f"{lines} states, {steps} steps in {len(worlds)} worlds")
