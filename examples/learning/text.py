"""Rows to numbers: what a model sees of a row and what should follow, as words; a vocabulary that is made from the training rows.

A row is read in one of these forms: `english`, the text with the answer after it; `rationale`, the same with how the answer
follows in its place, which ends with it behind a colon; `terms`, the columns `facts`, `plan`, `query` and `gold`, word by word, which are
five times as short; `steps`, the same with each action and the situation after it in place of the answer, which is the last of these
situations; `changes`, where a model names what one action adds and takes away, by the rules of a theory that are told, with numbers for
names.

Words that occur often enough are tokens. All others are spelled, letter by letter between two marks, so that no word of a test
set is unknown, and names that nobody has seen can be told apart.
"""

import collections
import re
from dataclasses import dataclass

PAD, ANSWER, END, SPELLED, WHOLE = range(5)
MARKS = ["<pad>", "<answer>", "<end>", "<spelled>", "<whole>"]
# A word that occurs so many times is a token of its own.
OFTEN = 20
# Between the terms of an answer; between an action and the situation after it; before a fact that goes.
NEXT, THEN, GONE = ";", ":", "-"
# The forms that are in terms.
IN_TERMS = ("terms", "steps", "changes")
# What a model may see before the question.
SEEN = {"context": ("initial_state", "actions"), "initial_state": ("initial_state",), "actions": ("actions",), "": ()}


@dataclass
class Example:
    """What a model sees, and what it should go on with."""

    prompt: list[int]
    target: list[int]
    row: dict


def words(text: str) -> list[str]:
    return re.findall(r"[\w-]+|[^\w\s]", text)


def of_terms(terms: list[str]) -> list[str]:
    """Symbols, without parentheses: how many follow a symbol is the same everywhere."""
    return [word for term in terms for word in re.findall(r"\w+", term)]


def renamed(row: dict, said: list[str]) -> list[str]:
    """Words in the names that a row has for them, if there are any."""
    symbols = row.get("symbols", {})
    return [symbols.get(word, word) for word in said]


def listed(terms: list[str]) -> list[str]:
    return [word for number, term in enumerate(terms) for word in ([NEXT] if number else []) + of_terms([term])]


def bound(action: str) -> list[str]:
    """An action, its arguments with what its rule calls them, and its symbol last: what comes next is what the rules have after it."""
    symbol, *arguments = of_terms([action])
    return [*(word for place, argument in enumerate(arguments, 1) for word in (f"X{place}", argument)), symbol]


def prompt_words(row: dict, form: str = "english", sees: str = "context") -> list[str]:
    """`sees`: the whole context, its initial state or its actions alone, or the question alone."""
    if form not in IN_TERMS:
        return words(row[sees] if sees else "") + words(row["question"])
    types = {f"{thing['type']}({thing['id']})" for thing in row["objects"]}
    facts = [fact for fact in row["facts"] if fact not in types]
    if form == "changes":
        # In domains that nobody has seen, nobody knows how many arguments a symbol has.
        return renamed(row, [*row["theory"], *listed(facts), NEXT, *(word for action in row["plan"] for word in bound(action))])
    parts = {"initial_state": facts, "actions": row["plan"]}
    seen = [word for part in SEEN[sees] for word in [*of_terms(parts[part]), NEXT]]
    return [*row.get("theory", []), *seen, *of_terms([row["query"]])]


def target_words(row: dict, form: str = "english") -> list[str]:
    if form == "terms":
        return listed(row["gold"])
    if form == "steps":
        told = zip(row["plan"], row["situations"])
        return [word for action, situation in told for word in [*of_terms([action]), THEN, *listed(situation), NEXT]][:-1]
    if form == "changes":
        added, gone = ([of_terms([term]) for term in terms] for terms in row["changes"])
        said = [*added, *([GONE, *term] for term in gone)]
        return renamed(row, [word for number, term in enumerate(said) for word in ([NEXT] if number else []) + term])
    return words(row["rationale" if form == "rationale" else "answer"])


def changed(said: list[str], row: dict) -> list[str]:
    """The situation that the changes a model names make of the first one."""
    meant = {name: symbol for symbol, name in row["symbols"].items()}
    now = {term: of_terms([term]) for term in row["before"]}
    for change in (change.split() for change in " ".join(meant.get(word, word) for word in said).split(NEXT)):
        gone, term = (True, change[1:]) if change[:1] == [GONE] else (False, change)
        if gone:
            now = {fact: words for fact, words in now.items() if words != term}
        elif term:
            now[" ".join(term)] = term
    return [word for number, term in enumerate(now.values()) for word in ([NEXT] if number else []) + term]


def told(said: list[str], row: dict, form: str = "english") -> str:
    """What a model went on with, as racgen's scorer reads it; it does not mind spaces before signs."""
    if form not in IN_TERMS:
        text = re.sub(r" ([,.;:?!)])", r"\1", " ".join(said))
        # A rationale ends with the answer behind a colon.
        return text.rpartition(":")[2].strip() if form == "rationale" else text
    if form == "steps":
        # The answer is the last situation.
        said = said[max((place + 1 for place, word in enumerate(said) if word == THEN), default=0) :]
    if form == "changes":
        said = changed(said, row)
    names = {thing["id"]: thing["name"] for thing in row["objects"]}
    terms = [term.split() for term in " ".join(said).split(NEXT)]
    if row["answer_type"] in ("facts", "actions", "action"):
        return "; ".join(f"{term[0]}({','.join(term[1:])})" if term[1:] else "".join(term) for term in terms)
    return ", ".join(names.get(word, word) for term in terms for word in term)


class Vocabulary:
    def __init__(self, texts: list[list[str]]):
        counts = collections.Counter(word for text in texts for word in text)
        letters = sorted({letter for word in counts for letter in word} | set("abcdefghijklmnopqrstuvwxyz0123456789_-.,;:?!"))
        often = sorted(word for word, count in counts.items() if count >= OFTEN and len(word) > 1)
        self.tokens = MARKS + letters + often
        self.numbers = {token: number for number, token in enumerate(self.tokens)}

    @staticmethod
    def of(rows: list[dict], form: str) -> "Vocabulary":
        return Vocabulary([prompt_words(row, form) + target_words(row, form) for row in rows])

    def encode(self, text: list[str]) -> list[int]:
        out = []
        for word in text:
            known = self.numbers.get(word)
            if known is not None:
                out.append(known)
            else:
                # A letter that no training text has is left out.
                out += [SPELLED, *(self.numbers[letter] for letter in word if letter in self.numbers), WHOLE]
        return out

    def decode(self, numbers: list[int]) -> list[str]:
        out, spelled = [], None
        for number in numbers:
            if number == END:
                break
            if number == SPELLED:
                spelled = []
            elif number == WHOLE:
                out.append("".join(spelled or []))
                spelled = None
            elif number >= len(MARKS):
                (out if spelled is None else spelled).append(self.tokens[number])
        return out + ["".join(spelled)] if spelled else out


def examples(rows: list[dict], vocabulary: Vocabulary, form: str = "english", sees: str = "context") -> list[Example]:
    def example(row: dict) -> Example:
        prompt, target = (vocabulary.encode(text) for text in (prompt_words(row, form, sees), target_words(row, form)))
        return Example([*prompt, ANSWER], [*target, END], row)

    return [example(row) for row in rows]
