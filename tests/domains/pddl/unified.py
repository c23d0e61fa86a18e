"""States of planning domains, with what follows from them, to whether unified-planning's simulator says the same.

unified.py FOLDER STATES [FOLDER STATES]...: FOLDER has domain.pddl and the problems, STATES one JSON object a line, as
worlds.rs writes them. Each world is read and grounded once.
"""

import json
import pathlib
import sys
import time

from unified_planning.engines import UPSequentialSimulator
from unified_planning.engines.compilers.grounder import GrounderHelper
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import FALSE, TRUE, Int, get_environment

get_environment().credits_stream = None


def key(expression):
    return (expression.fluent().name, *(str(argument) for argument in expression.args))


class Problems:
    """The problems of a folder, and what their objects are."""

    def __init__(self, folder):
        self.domain = (folder / "domain.pddl").read_text()
        plain = PDDLReader().parse_problem_string(self.domain)
        self.name = plain.name
        self.constants = {o.name for o in plain.all_objects}
        files = sorted(path for path in folder.glob("*.pddl") if path.name != "domain.pddl")
        self.kinds = []
        for file in files:
            problem = PDDLReader().parse_problem_string(self.domain, file.read_text())
            self.kinds.append({o.name: o.type.name if o.type is not None else "object" for o in problem.all_objects})


class World:
    """Some objects of a problem, and what never changes: the problem of unified-planning, and its simulator."""

    def __init__(self, problems, line):
        kinds = dict(problems.kinds[line["problem"]])
        for name, like in line["twins"]:
            kinds[name] = kinds[like]
        own = [o for o in line["objects"] if o not in problems.constants]
        plain = set(kinds.values()) <= {"object"}
        objects = " ".join(o if plain else f"{o} - {kinds[o]}" for o in own)
        init = " ".join(f"({' '.join(atom)})" for atom in line["atoms"])
        init += " ".join(f" (= ({' '.join(function)}) {value})" for function, value in line["numbers"])
        if "total-cost" in problems.domain:
            init += " (= (total-cost) 0)"
        text = f"(define (problem p) (:domain {problems.name}) (:objects {objects}) (:init {init}) (:goal (and)))"
        problem = PDDLReader().parse_problem_string(problems.domain, text)
        self.simulator = UPSequentialSimulator(problem, error_on_failed_checks=False)
        self.problem = problem
        self.start = self.simulator.get_initial_state()
        # All fluents of the world, which the library works out anew whenever it is asked.
        told = [expression for expression in problem.initial_values if expression.fluent().name != "total-cost"]
        self.fluents = [(e, key(e), e.type.is_bool_type()) for e in told]

    def applicable(self, state):
        """The actions that can be carried out, with their arguments."""
        try:
            return list(self.simulator.get_applicable_actions(state))
        except ValueError:
            # The library (1.3.0) takes an object twice off a list where two conditions that never change exclude it. Without
            # this shortcut it tries all objects.
            self.simulator._grounder = GrounderHelper(self.problem, prune_actions=False)
            return list(self.simulator.get_applicable_actions(state))

    def state(self, line_atoms, line_numbers):
        """A state as the simulator has it."""
        atoms = {tuple(atom) for atom in line_atoms}
        numbers = {tuple(function): value for function, value in line_numbers}
        values = {}
        for expression, name, is_bool in self.fluents:
            values[expression] = (TRUE() if name in atoms else FALSE()) if is_bool else Int(numbers[name])
        return self.start.make_child(values)

    def told(self, state):
        """What is true in a state, and the numbers."""
        atoms, numbers = set(), {}
        for expression, name, is_bool in self.fluents:
            value = state.get_value(expression)
            if not is_bool:
                numbers[name] = value.constant_value()
            elif value.is_true():
                atoms.add(name)
        return atoms, numbers


def compare(folder, states):
    """How many states and steps were compared, in how many worlds."""
    problems, worlds, steps, lines = Problems(folder), {}, 0, 0
    for text in states.read_text().splitlines():
        line = json.loads(text)
        which = (line["problem"], *line["objects"])
        if which not in worlds:
            worlds[which] = World(problems, line)
        world = worlds[which]
        state = world.state(line["atoms"], line["numbers"])
        judged = {tuple(action): (atoms, numbers) for action, atoms, numbers in line["next"]}
        found = {}
        for action, arguments in world.applicable(state):
            found[(action.name, *(str(argument) for argument in arguments))] = (action, arguments)
        if set(found) != set(judged):
            here, there = set(found) - set(judged), set(judged) - set(found)
            sys.exit(f"{folder.name}: in {line['atoms']}: only here {here}, only there {there}")
        for name, (action, arguments) in found.items():
            after = world.told(world.simulator.apply_unsafe(state, action, arguments))
            atoms, numbers = judged[name]
            expected = ({tuple(atom) for atom in atoms}, {tuple(f): value for f, value in numbers})
            if after != expected:
                sys.exit(f"{folder.name}: after {name} in {line['atoms']}: {after} rather than {expected}")
            steps += 1
        lines += 1
    return lines, steps, len(worlds)


for folder, states in zip(sys.argv[1::2], sys.argv[2::2]):
    begun = time.monotonic()
    folder = pathlib.Path(folder)
    lines, steps, worlds = compare(folder, pathlib.Path(states))
    print(f"{folder.name} {lines} states, {steps} steps in {worlds} worlds, {time.monotonic() - begun:.1f} s", flush=True)
