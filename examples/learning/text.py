"""Rows to numbers: a vocabulary that is made from the training rows, and examples of a prompt and what should follow it.

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


def words(text: str) -> list[str]:
    return re.findall(r"[\w-]+|[^\w\s]", text)


@dataclass
class Example:
    """What a model sees, and what it should go on with."""

    prompt: list[int]
    target: list[int]
    row: dict


class Vocabulary:
    def __init__(self, texts: list[str]):
        counts = collections.Counter(word for text in texts for word in words(text))
        letters = sorted({letter for word in counts for letter in word} | set("abcdefghijklmnopqrstuvwxyz0123456789-_.,;:?!"))
        often = sorted(word for word, count in counts.items() if count >= OFTEN and len(word) > 1)
        self.tokens = MARKS + letters + often
        self.numbers = {token: number for number, token in enumerate(self.tokens)}

    def encode(self, text: str) -> list[int]:
        out = []
        for word in words(text):
            known = self.numbers.get(word)
            if known is not None:
                out.append(known)
            else:
                # A letter that no training text has is left out.
                out += [SPELLED, *(self.numbers[letter] for letter in word if letter in self.numbers), WHOLE]
        return out

    def decode(self, numbers: list[int]) -> str:
        """As it would be written; close enough for the scorer, which does not mind spaces before signs."""
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
        text = " ".join(out + ["".join(spelled)] if spelled else out)
        return re.sub(r" ([,.;:?!)])", r"\1", text)


def target_text(row: dict, form: str) -> str:
    return f"{row['rationale']} The answer is {row['answer']}." if form == "rationale" else row["answer"]


def examples(rows: list[dict], vocabulary: Vocabulary, form: str = "answer", sees: str = "context") -> list[Example]:
    """`form`: what follows the prompt, an answer or a rationale with it. `sees`: the whole context, or the question alone."""
    out = []
    for row in rows:
        prompt = vocabulary.encode(row["question"])
        if sees == "context":
            prompt = vocabulary.encode(row["context"]) + prompt
        out.append(Example([*prompt, ANSWER], [*vocabulary.encode(target_text(row, form)), END], row))
    return out
