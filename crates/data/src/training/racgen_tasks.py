"""What the tasks beside this file call: their data, the final answer of a text, and whether it is right.

Written by racgen. `racgen score` reads more ways of saying an answer; these functions need nothing but Python, and
where lm-evaluation-harness loads data, its own `datasets`.
"""

import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
# What leaves an answer open.
HEDGES = re.compile(r"\b(or|maybe|perhaps|possibly|either|unsure|not sure|except|unclear|might)\b|\?")
# "The answer is", and what stands behind it; or a line that begins as in GSM8K.
STATED = re.compile(
    r".*\banswer\"?(?: to [a-z ]*question)?\s*"
    r"(?::|(?:is|would be|must be)\b(?:\s*:|\s+thus\b)?)\s*(.*)$|^####\s*(.*)$",
    re.S,
)
# A yes or no, and what it may stand behind.
SAID = re.compile(
    r"(?:[\s\"'(\[{,:]|i (?:think|would say)|so|thus|therefore|hence|actually|wait|in conclusion|it is|it's|that's|"
    r"that is|this is|the statement is)*(not )?(yes|no|true|false)\b(.*)$",
    re.S,
)
# What it holds under, or when it held, or what is said of it as a word.
CONDITION = re.compile(
    r"[\s,\"']*(if|unless|only|assuming|provided|until|initially|originally|before|at first|would|is|was|cannot|could)\b"
)
# Words that say nothing of their own.
SMALL = frozenset(
    "a an the is are was were be it its they there of in on at to for with that this how many number count total "
    "exactly only just so thus therefore hence then now finally after all has have items objects contains i".split()
)


def load(task, splits, **_):
    """The splits of a task, from the files beside this one."""
    import datasets

    files = {split: str(HERE / "data" / task / f"{split}.jsonl") for split in splits}
    return datasets.load_dataset("json", data_files=files)


def plain(text):
    """Small letters without emphasis and LaTeX."""
    text = text.lower()
    for sign, usual in (("\u2019", "'"), ("\u2013", " - "), ("\u2014", " - "), ("\u2026", "...")):
        text = text.replace(sign, usual)
    text = re.sub(r"\\(?:text|textbf|mathrm|mathbf|textit)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"```[a-z]*\n?|\*\*|__|[`$]|\\[()\[\]]|\\(?=[{}])", "", text)
    return text.strip()


def final(text):
    """The part of a text that says its final answer, and how: in a box or tag, behind "answer", or not marked."""
    thought = re.split(r"</think(?:ing)?>", text)
    text = thought[-1]
    if "<think" in text:
        return "", "none"
    text = re.split(r"<\|im_end\|>|<\|eot_id\|>|<\|endoftext\|>|</s>", text)[0]
    # A model that goes on makes up questions of its own.
    text = plain(re.split(r"\n(?:Question|Q|Initial state):", text.lstrip())[0])
    boxed = re.findall(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}", text)
    tagged = re.findall(r"<(?:final_)?answer>(.*?)</(?:final_)?answer>", text, re.S)
    marked = tagged or boxed
    if marked:
        marked = [part.strip() for part in marked]
        return (marked[-1], "marked") if len(set(marked)) == 1 else ("", "none")
    statements = sentences(text)
    found = []
    for number, statement in enumerate(statements):
        if statement.endswith("?") or "whether" in statement or statement.startswith("if "):
            continue
        if "would" in statement and "if " in statement:
            continue
        match = STATED.match(statement)
        if match:
            body = (match.group(1) or match.group(2) or "").strip()
            # The answer may stand on the next lines.
            if not body and number + 1 < len(statements):
                body = "; ".join(statements[number + 1 :])
            found.append(body)
    if found:
        differ = {re.sub(r"\W+", " ", part).strip() for part in found}
        turned = re.search(r"\b(but|so|wait|actually|therefore|thus|hence|however|then)\b", text)
        return (found[-1], "stated") if len(differ) == 1 or turned else ("", "none")
    return text, "said"


def sentences(text):
    """A text cut at full stops and lines; bullets stay with the line above."""
    lines = []
    for line in text.splitlines():
        item = re.match(r"\s*(?:[-*\u2022]|\d+[.)])\s+(.*)$", line)
        if item and lines and (lines[-1].endswith(":") or "\0" in lines[-1]):
            lines[-1] += "\0 " + item.group(1) + ";"
        elif line.strip():
            lines.append(item.group(1) if item else line.strip())
    parts = []
    for line in lines:
        parts += re.split(r"(?<=[.!?])\s+", line.replace("\0", ""))
    return [part.strip() for part in parts if part.strip()]


def yes_or_no(text):
    """True, False, or None."""
    said = SAID.match(text)
    if not said:
        return None
    negated, word, rest = said.groups()
    value = word in ("yes", "true")
    if negated:
        if word != "true":
            return None
        value = False
    if re.match(r"[\s\"']*(/|or\b|and\b)", rest) or text.strip().endswith(("?", "...")):
        return None
    if CONDITION.match(rest):
        return None
    # "No block is on it" is no answer.
    if word == "no" and re.match(r"\s+(?!because|since|as|it|there|the|that|this|not|-)\w", rest):
        return None
    other = r"\byes\b" if not value else r"(?:\bno\b\s*(?:[.,!;:]|$)|\b(?:or|be) (?:no|false)\b)"
    if re.search(other, rest) or re.search(r"\b(maybe|perhaps|possibly|not sure|wait)\b", rest):
        return None
    return value


def asked(question):
    """The words of the question itself, without what is supposed to be done before."""
    last = re.split(r"(?<=[.])\s", question.lower().strip())[-1]
    start = re.search(r"\b(?:which|what|who|whom|where|how)\b", last)
    last = last[last.rfind(",", 0, start.start()) + 1 :] if start else last
    words = re.findall(r"[a-z]+", last)
    return last, SMALL | set(words) | {word[:-1] for word in words if word.endswith("s")}


def number(text, question):
    """A whole number, or None: the only one in a text that says nothing but what the question says."""
    question, known = asked(question)
    text = re.split(r"\s+(?:because|since|as)\s|\s\(|[:;](?=\s)", text.split("=")[-1].strip())[0]
    if HEDGES.search(text) or re.search(r"\d\s*[/-]\s*\d|\bnot\b|\d\s*%|\d(?:st|nd|rd|th|x)\b", text):
        return None
    tokens = re.findall(r"-?\d+(?:\.\d+)?|[a-z]+(?:[-'][a-z0-9]+)*|,", text)
    found, before = set(), ""
    for at, word in enumerate(tokens):
        value = None
        if re.fullmatch(r"-?\d+(?:\.\d+)?", word):
            value = float(word)
        elif word in NUMBERS and before not in ("no", "the", "that", "this"):
            value = float(NUMBERS.index(word))
        elif word == "none" and at == 0 or word == "no" and tokens[at + 1 : at + 2] and tokens[at + 1] in known - SMALL:
            value = 0.0
        elif word == "no" and tokens[at + 1 : at + 2] == [","] or word == ",":
            pass
        elif word not in known and word not in question:
            return None
        # "Block 1" is a name, and "row 3" is the question's.
        if value is not None and before in known - SMALL and f"{before} {word}" not in question:
            return None
        if value is not None and f"{before} {word}" not in question:
            found.add(value)
        before = word
    return found.pop() if len(found) == 1 else None


def bare(name):
    """A name in small letters; people write `crane 34` for crane-34."""
    return re.sub(r"(?<=\w)[-_](?=\w)", " ", name.strip().lower()).replace(", ", ",")


def names(text, known, question):
    """A set of names, or None."""
    text = re.split(r"\s+because\s|\s+since\s|,\s*as\s", text)[0]
    if HEDGES.search(text) or re.search(r"\bnot\b", text) or text.strip().endswith("..."):
        return None
    text = text.strip().strip(".!").strip()
    if re.fullmatch(r"\[?\]?|(?:there (?:is|are) )?(?:none|nothing)(?: of them)?", text) and text:
        return frozenset()
    _, words = asked(question)
    known = {bare(name) for name in known}
    # "The containers in pile-89 are ..." says again what was asked.
    said = re.match(r"(.*?)\b(?:is|are)\b:?\s+(.+)$", text, re.S)
    if said and not any(re.search(rf"\b(?:{sign})\b", said.group(1)) for sign in ("no", "none", "nothing")):
        before = re.findall(r"[a-z]+(?:-\d+)?", said.group(1))
        if before and all(word in words or word in question.lower() for word in before) and said.group(1).strip():
            text = said.group(2)
    if text[:1] in "[{(" and text[-1:] in "]})":
        text = text[1:-1]

    def one(part):
        part = re.sub(r"^\s*(?:[-*\u2022]|\d+[.)])\s+", "", part)
        part = re.sub(r"^(?:and|the|both)\s+", "", part.strip(" \t\"'.-"))
        part = bare(re.sub(r"^the\s+", "", re.sub(r"^(?:the|on|in|at)\s+", "", part)))
        first, _, rest = part.partition(" ")
        last = part.rpartition(" ")
        if part not in known and rest in known and first in words:
            return rest
        if part not in known and last[0] in known and last[2] in words:
            return last[0]
        return part

    # A comma within parentheses does not part a list.
    parts = re.split(r"[,;\n](?![^()]*\))", text)
    whole = frozenset(one(part) for part in parts if part.strip())
    pieces = [piece for part in parts for piece in re.split(r"\s+(?:and|&)\s+", part)]
    cut = frozenset(one(piece) for piece in pieces if piece.strip())
    # Names that the world has, and terms; others, such as moves in words, may hold an `and`.
    return cut if cut <= known or all(piece.endswith(")") for piece in cut) else whole


def read(text, doc):
    """What a text answers to an item, in a form in which equal answers are equal."""
    body, standing = final(text)
    kind = {"verify": "bool", "count": "number"}.get(doc["question_type"], "names")
    tries = [body]
    if standing in ("said", "stated", "marked"):
        parts = sentences(body)
        # An answer that is given at once, or at the end.
        tries += [parts[0]] if parts and standing != "said" else []
        if parts and standing == "said":
            first, last = parts[0], parts[-1]
            if kind == "bool":
                answers = {yes_or_no(part) for part in (first, last)} - {None}
                return answers.pop() if len(answers) == 1 and not re.search(r"\bnot sure\b", body) else None
            tries = [body, first, last] if len(parts) > 1 else [body]
    for part in tries:
        if not part:
            continue
        if kind == "bool":
            found = yes_or_no(part)
        elif kind == "number":
            found = number(part, doc["question"])
        else:
            found = names(part, doc["names"], doc["question"])
        if found is not None:
            return found
    return None


def gold(doc):
    """The answer of an item in that form."""
    if doc["question_type"] == "verify":
        return doc["answer"] == "yes"
    if doc["question_type"] == "count":
        return float(doc["answer"])
    if doc["answer"] == "none":
        return frozenset()
    return frozenset(bare(part) for part in re.split(r",(?![^()]*\))", doc["answer"]))


def final_answers(resps, docs):
    """The filter: of each response, the answer as one text."""

    def told(text, doc):
        found = read(text if isinstance(text, str) else "", doc)
        if found is None:
            return "[no answer]"
        if isinstance(found, bool):
            return "yes" if found else "no"
        if isinstance(found, float):
            return f"{found:g}"
        return json.dumps(sorted(found))

    return [[told(text, doc) for text in some] for some, doc in zip(resps, docs)]


def score(doc, results):
    """1 where the filtered response is the answer, lists in any order."""
    wanted = gold(doc)
    if isinstance(wanted, bool):
        wanted = "yes" if wanted else "no"
    elif isinstance(wanted, float):
        wanted = f"{wanted:g}"
    else:
        wanted = json.dumps(sorted(wanted))
    return {"exact_match": float(results[0] == wanted)}
