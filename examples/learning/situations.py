"""Rows about whole situations to the situation after each of their actions, as terms.

A row tells the first situation (`facts`) and the last one (`gold`). What an action changes is read off the rows of one action: which
facts appear and which go, told by the places of the action's arguments. So no rule of a domain stands here. Whether these changes
lead from the first situation to the last is looked at in every row; where an action has effects that its arguments do not name, or
not always the same ones, that is an error and not a wrong rationale.
"""

import re

# A kind of facts: the symbol, and the types of what it is said of.
Kind = tuple[str, ...]
# Facts that an action adds and takes away, with the places of its arguments instead of objects.
Change = tuple[frozenset[tuple], frozenset[tuple]]


def parts(term: str) -> list[str]:
    """The symbol of a term, and its arguments."""
    return re.findall(r"\w+", term)


def kind(term: str, row: dict) -> Kind:
    types = {thing["id"]: thing["type"] for thing in row["objects"]}
    symbol, *arguments = parts(term)
    return symbol, *(types.get(argument, "") for argument in arguments)


def lifted(term: str, action: str) -> tuple:
    symbol, *arguments = parts(term)
    named = parts(action)[1:]
    if not set(arguments) <= set(named):
        raise ValueError(f"`{action}` changes {term}, and does not name all of it")
    return symbol, *(named.index(argument) for argument in arguments)


def ground(fact: tuple, action: str) -> str:
    symbol, *places = fact
    named = parts(action)[1:]
    return f"{symbol}({','.join(named[place] for place in places)})" if places else symbol


class Situations:
    """What the actions of a domain change, learned from rows of one action."""

    def __init__(self, rows: list[dict]):
        self.kinds = {kind(term, row) for row in rows for term in row["gold"]}
        self.changes: dict[str, Change] = {}
        for row in rows:
            if len(row["plan"]) != 1:
                continue
            (action,) = row["plan"]
            before, after = set(self.first(row)), set(row["gold"])
            found = tuple(frozenset(lifted(term, action) for term in some) for some in (after - before, before - after))
            if self.changes.setdefault(parts(action)[0], found) != found:
                raise ValueError(f"`{action}` does not always change the same")

    def first(self, row: dict) -> list[str]:
        """The initial facts of the kinds that answers have."""
        return [term for term in row["facts"] if kind(term, row) in self.kinds]

    def after(self, row: dict) -> list[list[str]]:
        """The situation after each action, the facts of each in the order of the alphabet, as in `gold`."""
        now, out = set(self.first(row)), []
        for action in row["plan"]:
            added, gone = self.changes[parts(action)[0]]
            now = now - {ground(fact, action) for fact in gone} | {ground(fact, action) for fact in added}
            out.append(sorted(now))
        if now != set(row["gold"]):
            raise ValueError(f"the changes of single actions do not lead to what the row {row['id']} has as its answer")
        return out

    def told(self, rows: list[dict]) -> list[dict]:
        """The rows with the column `situations`."""
        return [row | {"situations": self.after(row)} for row in rows]
