"""What the tasks beside this file call: their data, the final answer of a text, and whether it is right.

Written by racgen. The answers are read as `racgen score` reads them (src/score in its sources), step by step the same, with
the same words, which stand in racgen_words.json. Nothing but Python is needed, and where lm-evaluation-harness loads data,
its own `datasets`.
"""

import base64
import io
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORDS = json.loads((HERE / "racgen_words.json").read_text(encoding="utf-8"))
CHARACTERS = {sign: usual for signs, usual in WORDS["characters"] for sign in signs}

# How plainly a text says that something is its answer.
SAID, CONCLUDED, STATED, FINAL, MARKED = range(5)
# Stands where a marked answer stood; the next character is its number, counted from FIRST.
MARK, FIRST, MOST_MARKS = "\ue000", 0xE100, 200
# Boxes in boxes are read so deep.
DEEPEST = 3


def load(task, splits, **_):
    """The splits of a task, from the files beside this one."""
    import datasets

    files = {split: str(HERE / "data" / task / f"{split}.jsonl") for split in splits}
    return datasets.load_dataset("json", data_files=files)


def images(doc):
    """The pictures of an item, for models that see: one, or none."""
    from PIL import Image

    return [Image.open(io.BytesIO(base64.b64decode(doc["image"]))).convert("RGB")] if doc["image"] else []


# ------------------------------------------------------------------------------------------------------------- texts


def trimmed(text, signs):
    """A text without spaces and these signs around it."""
    start, end = 0, len(text)
    while start < end and (text[start].isspace() or text[start] in signs):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in signs):
        end -= 1
    return text[start:end]


def begun(text, signs):
    """A text without spaces and these signs at its start."""
    start = 0
    while start < len(text) and (text[start].isspace() or text[start] in signs):
        start += 1
    return text[start:]


def lines_of(text):
    parts = text.split("\n")
    return parts[:-1] if parts and not parts[-1] else parts


def first_place(text, signs):
    """Where the first of the signs stands; None where none does."""
    return min((at for at in map(text.find, signs) if at >= 0), default=None)


# ------------------------------------------------------------------------- plain text, cut into statements and marks


class Plain:
    """A text in statements, and what it marks as its answers."""

    def __init__(self, text):
        self.marked = []
        text = self.unmark(spoken(simple(text)))
        self.statements = statements(without_markup(text))

    def unmark(self, text):
        out = ""
        while len(self.marked) < MOST_MARKS and (found := next_marked(text)):
            before, content, text = found
            out += before + MARK + chr(FIRST + len(self.marked))
            self.marked.append(content)
        return out + text

    def marks(self, statement):
        """The marked answers of a statement."""
        numbers = (ord(c) - FIRST for c in statement)
        return [self.marked[n] for n in numbers if 0 <= n < min(MOST_MARKS, len(self.marked))]

    def with_marked(self, statement):
        """A statement with its marked answers put back."""
        out = ""
        for c in statement.replace(MARK, ""):
            number = ord(c) - FIRST
            out += without_markup(self.marked[number]) if 0 <= number < len(self.marked) else c
        return out


def offers(statement):
    """Does a statement offer its marked answers for a choice?"""
    words = statement.split()
    pairs = zip(words, words[1:] + [""])
    return any(word == "or" and MARK in after or after == "or" and MARK in word for word, after in pairs)


def simple(text):
    """Small letters, with the usual signs for quotes, dashes and spaces."""
    return "".join(CHARACTERS.get(c, "" if "\ue000" <= c <= "\uf8ff" else c.lower()) for c in text)


def spoken(text):
    """What is said aloud, in the model's own turn: without thoughts, and with them all is gone if they do not end."""
    for thought in WORDS["thoughts"]:
        begin, end = text.rfind(f"<{thought}>"), text.rfind(f"</{thought}>")
        if end >= 0 and begin < end:
            text = text[end + len(thought) + 3 :]
        elif begin >= 0:
            text = text[:begin]
    end = first_place(text, WORDS["ends"])
    return text if end is None else text[:end]


def next_marked(text):
    """The first box or tag: what is before it, in it, and after it. A tag that is not closed goes to the end."""
    found = []
    places = [(text.find(name), len(name)) for name in ("\\boxed", "\\fbox")]
    places = [(at, length) for at, length in places if at >= 0]
    if places:
        at, length = min(places)
        inner = text[at + length :].lstrip()
        start = len(text) - len(inner)
        end = closing(inner)
        if end is not None:
            found.append((at, start + 1, start + end, 1))
    for tag in WORDS["tags"]:
        at = text.find(f"<{tag}>")
        if at < 0:
            continue
        start = at + len(tag) + 2
        end = text.find(f"</{tag}>", start)
        found.append((at, start, len(text), 0) if end < 0 else (at, start, end, len(tag) + 3))
    if not found:
        return None
    at, start, end, close = min(found)
    return text[:at], text[start:end], text[end + close :]


def closing(text):
    """Where the brace that a text begins with is closed."""
    depth = 0
    for at, c in enumerate(text):
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth < 0:
                return None
        if depth == 0:
            return at if c == "}" else None
    return None


def without_markup(text):
    """A text without what only shows in print: emphasis, code, headings, LaTeX, HTML."""
    text = "\n".join(line for line in lines_of(text) if not is_fence(line))
    if "\\" in text:
        text = unwrapped_latex(text)
    for sign, usual in WORDS["signs"]:
        text = text.replace(sign, usual)
    for tag in WORDS["html"]:
        text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")

    def plain(line):
        bare = line.lstrip()
        # As in GSM8K (Cobbe et al. 2021).
        if bare.startswith("####") and not bare.startswith("#####"):
            return "final answer: " + bare[4:].strip()
        if bare.startswith("* "):
            return "- " + bare[2:].replace("*", "")
        return bare.lstrip("#>").replace("*", "")

    return "\n".join(map(plain, lines_of(text)))


def unwrapped_latex(text):
    """A text with what LaTeX wraps in commands for text."""
    command = re.compile(r"\\(?:" + "|".join(WORDS["wrappers"]) + r")\{")
    # Of each open brace, does it belong to such a command?
    out, at, belongs = "", 0, []
    while at < len(text):
        found = command.match(text, at)
        if found:
            belongs.append(True)
            at = found.end()
            continue
        dropped = False
        if text[at] == "{":
            belongs.append(False)
        elif text[at] == "}":
            dropped = bool(belongs) and belongs.pop()
        out += "" if dropped else text[at]
        at += 1
    return out


def is_fence(line):
    line = line.strip()
    return line.startswith("```") and all(c.isalnum() for c in line[3:])


def bullet(line, within):
    """The text behind a bullet or a number of a list; `within` one, any number will do, and else it is 1."""
    if line.startswith(("- ", "+ ")):
        return line[2:].strip()
    found = re.match(r"([0-9]+)[.)]( .*)", line, re.S)
    if not found or len(found.group(1)) > 3 or not (within or found.group(1) == "1"):
        return None
    return found.group(2).strip()


def statements(text):
    """A text cut into sentences and lines. Bullets belong together and to a line that ends with a colon, and so does what
    stands in brackets."""
    lines, wants, is_list = [], False, False
    for line in filter(None, map(str.strip, lines_of(unbroken(text)))):
        item = bullet(line, is_list)
        if item is not None and lines and (wants or is_list):
            lines[-1] += (" " if wants else "; ") + item.rstrip(".")
            wants, is_list = False, True
        elif item is not None:
            lines.append(item)
            wants, is_list = False, True
        else:
            if lines and wants:
                lines[-1] += " " + line
            else:
                lines.append(line)
            wants, is_list = line.endswith((":", " is", " are")), False
    return [sentence for line in lines for sentence in sentences(line)]


def unbroken(text):
    """No line ends within brackets."""
    if sum(map(text.count, "[{(")) != sum(map(text.count, "]})")):
        return text
    out, depth = "", 0
    for c in text:
        depth += (c in "[{(") - (c in "]})")
        out += " " if c == "\n" and depth > 0 else c
    return out


def sentences(line):
    found, start = [], 0
    for at, c in enumerate(line):
        if c not in ".!?":
            continue
        end = at + 1
        # A quote or bracket closes behind the full stop.
        while end < len(line) and line[end] in "\"')]}":
            end += 1
        ends = end >= len(line) or line[end] in " \t\n\r\f"
        # `1. zither 2. helmet` begins with no sentence.
        word = line[start:at].lstrip()
        numbering = c == "." and end < len(line) and re.fullmatch("[0-9]{1,2}", word)
        if ends and not numbering:
            found.append(line[start:end].strip())
            start = end
    found.append(line[start:].strip())
    return [sentence for sentence in found if any(c.isalnum() or c == MARK or c in "[{" for c in sentence)]


# --------------------------------------------------------------------------------------------------- words and names


def words_of(text):
    """The words of a text in small letters, commas and the like apart from them."""
    found = []
    for part in text.split():
        bracket = "(" in part

        def inner(c):
            return c.isalnum() or c == "%" or c == "?" and bracket

        word = ""
        for at, c in enumerate(part):
            after = part[at + 1 : at + 2]
            between = at > 0 and c in "-_'./" and inner(part[at - 1]) and after != "" and inner(after)
            sign = c == "-" and after != "" and after in "0123456789" and not word
            if inner(c) or between or sign:
                word += c
            else:
                found += [word] if word else []
                found.append(c)
                word = ""
        found += [word] if word else []
    return found


def is_word(token):
    return any(c.isalnum() for c in token)


def is_negation(token):
    return token in WORDS["negations"] or token.endswith("n't")


def stem(word):
    """Of a word, what its forms have in common."""
    ending = next((ending for ending in WORDS["endings"] if word.endswith(ending)), "")
    cut = word[: len(word) - len(ending)]
    return cut if ending and len(cut.encode()) > 1 else word


def parted(token):
    if len(token.encode()) < 2:
        return [token]
    return [part for part in re.split("[-_]", token) if part]


def name_words(name):
    """The words of a name; `crane-34` has two."""
    return [part for token in words_of(name) for part in parted(token)]


def number_of(word):
    """A whole number in digits or words, up to ninety-nine in words."""
    if word[:1] and word[0] in "-0123456789":
        whole, dot, rest = word.partition(".")
        whole = whole if dot and not rest.strip("0") else word
        value = int(whole) if re.fullmatch("-?[0-9]+", whole) else None
        return value if value is not None and -(2**63) <= value < 2**63 else None
    if word in WORDS["units"]:
        return WORDS["units"].index(word)
    ten, dash, unit = word.partition("-")
    unit = unit if dash else "zero"
    if ten not in WORDS["tens"] or unit not in WORDS["units"][:10]:
        return None
    return WORDS["tens"].index(ten) * 10 + 20 + WORDS["units"].index(unit)


def name_of(text):
    """One name in small letters, without article, quotes and full stop, its words between single blanks."""
    text = trimmed(text, "\"'`*.!:;").lower().replace(", ", ",")
    # People write `crane 34` for crane-34.
    text = re.sub(r"(?<=[^\W_])[-_](?=[^\W_])", " ", text)
    words = text.split()
    return " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


def cut(text, everywhere):
    """The parts of a list, cut at commas, semicolons and lines outside of brackets, and with `everywhere` at each `and`."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c in ",;\n" and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    parts = [part.strip().removeprefix("and ") for part in parts]
    parts = [piece for part in parts for piece in (part.split(" and ") if everywhere else [part])]
    parts = [piece.strip() for part in parts for piece in part.split(" & ")]
    return [part for part in parts if part]


def peeled(text):
    return trimmed(text, "\"'.!,;:")


def unwrapped(text):
    """A list without its brackets."""
    for begin, end in ("[]", "{}", "()"):
        if text.startswith(begin) and text[1:].endswith(end):
            inner = text[1:-1]
            if begin not in inner and end not in inner:
                return inner
    return text


def proper(question):
    """The question itself, without what is supposed to be done before."""
    at = question.rstrip().rfind(". ")
    last = question if at < 0 else question[at + 2 :]
    at = first_place(last, WORDS["question_words"])
    if at is None:
        return last
    return last[max(last[:at].rfind(sign) for sign in ",;:") + 1 :]


class Asked:
    """What was asked: what an answer may repeat, and what it may name."""

    def __init__(self, kind, question, names):
        self.kind = kind
        tokens = words_of(proper(question.lower()))
        self.stems = {stem(word) for word in tokens}
        self.text = f" {' '.join(tokens)} "
        self.names = sorted(filter(None, (name_words(name.lower()) for name in names)), key=lambda n: (-len(n), n))
        self.supposes = question.lstrip().startswith("If ")
        starts = [at for at, word in enumerate(tokens) if word in ("which", "what", "who", "how")]
        behind = tokens[starts[0] + 1 :] if starts else []
        said = (word for word in behind if is_word(word) and word not in WORDS["function_words"])
        self.noun = stem(next(said, ""))
        self.negations = sum(is_negation(word) for word in self.text.split(" "))

    def is_conditional(self, statement):
        """Is a statement under a condition that the question does not make?"""
        return "if " in statement and "would" in statement or statement.startswith("if ") and not self.supposes

    def asks(self, word):
        return stem(word) in self.stems

    def echoes(self, word):
        """Is a word of the question's, or one that says nothing?"""
        return word in WORDS["function_words"] or self.asks(word)

    # ------------------------------------------------------------------------------ a statement to what it answers

    def readings(self, statement):
        """What a statement answers: more than one only where a list may be cut in several ways."""
        text = peeled(statement)
        # A question, and a list that trails off.
        if not text or text.endswith("?") or statement.rstrip().endswith("..."):
            return []
        if self.kind == "names":
            return self.name_lists(text)
        found = boolean(text) if self.kind == "bool" else self.number(text)
        return [] if found is None else [found]

    def bare(self, statement):
        """What a statement answers that is nothing but an answer."""
        text = peeled(statement)
        if self.kind == "names":
            return [names for names in self.lists(text) if self.are_known(names)]
        return [] if len(text.split()) > 3 else self.readings(statement)

    def leading(self, statement):
        """What the beginning of a statement answers, before any reasons."""
        if self.kind == "names":
            return self.sure(statement)
        if self.kind == "number":
            first = next(iter(words_of(peeled(statement))), "")
            if number_of(first) is None and first not in ("no", "none", "there"):
                return []
        return self.readings(statement)

    def sure(self, statement):
        """What a statement answers, if it is sure that it answers: any words could be a name."""
        found = self.readings(statement)
        if self.kind != "names":
            return found
        said = self.said(peeled(statement))
        return [names for names in found if self.are_known(names) or names == said]

    def number(self, text):
        text = text.rsplit("=", 1)[-1]
        padded = f" {text} "
        # At the very start the reason begins nowhere.
        ends = [at for at in map(padded.find, WORDS["details"]) if at > 1]
        clause = padded[: min(ends, default=len(padded))]
        head, colon, rest = padded.partition(": ")
        heads = words_of(head)
        if colon and all(number_of(w) is None and self.echoes(w) and not is_negation(w) for w in heads):
            # "Number of containers: 3".
            clause = rest
        if clause.strip() in ("none", "nothing"):
            return 0
        tokens = words_of(clause)
        found, negations, others = [], 0, 0
        for at, word in enumerate(tokens):
            before = tokens[at - 1] if at else ""
            after = tokens[at + 1] if at + 1 < len(tokens) else ""
            value = number_of(word)
            if value is not None:
                # "the one", "no one", "one of them" count nothing, and "row 3" is the question's.
                only = before == "only" and (at < 2 or tokens[at - 2] != "the")
                if word == "one" and (after == "of" or before in WORDS["before_pronoun"] and not only):
                    return None
                asked = f" {before} {word} " in self.text
                # "Block 1" is a name.
                if self.asks(before) and before not in WORDS["function_words"] and not asked:
                    return None
                if not (is_word(before) and asked):
                    found.append(value)
            elif word == "no" and at == 0 and after == ",":
                pass  # "No, 3" denies something else.
            elif (
                word == "no"
                and is_word(after)
                and stem(after) == self.noun
                or word == "none"
                and (after in ("of", "", "."))
            ):
                found.append(0)
                others += 1
            elif word == "single" and before in ("a", "only"):
                found.append(1)
            elif is_negation(word):
                negations += 1
            elif word in WORDS["hedges"] or is_word(word) and not self.echoes(word):
                return None
        # A negation of the question's may be said again, and there is none besides.
        fits = negations in (0, self.negations)
        return found[0] if len(set(found)) == 1 and fits and others <= 1 else None

    def name_lists(self, text):
        end = first_place(text, WORDS["reasons"])
        text = (text if end is None else text[:end]).rstrip(", ")
        found = self.lists(text)
        if any(map(self.are_known, found)):
            return found
        said = self.said(text)
        return found if said is None or said in found else found + [said]

    def lists(self, text):
        """A list of names and nothing else, cut at commas, and at each `and`."""
        if text in WORDS["empty_lists"]:
            return [()]
        found = []
        for everywhere in (False, True):
            names = [self.listed_name(part) for part in cut(unwrapped(text), everywhere)]
            if not names or "" in names:
                continue
            names = tuple(sorted(set(names)))
            names = () if names == ("none",) else names
            if names not in found:
                found.append(names)
        return found

    def listed_name(self, part):
        """A part of a list without what it is called by: "the container zither", "on the table"."""
        whole = name_of(part)
        if self.is_known(whole):
            return whole
        parts = whole.split(" ")

        def small(start, words=("on", "in", "at", "the", "a", "an", "both")):
            end = start
            while end < len(parts) and parts[end] in words:
                end += 1
            return end

        def noun(at):
            return 0 <= at < len(parts) and not is_negation(parts[at]) and self.asks(parts[at])

        # One noun of the question's may stand before the name or behind it, and small words before both.
        first = small(0)
        starts = [first] + ([small(first + 1)] if noun(first) else [])
        ends = [len(parts), len(parts) - noun(len(parts) - 1)]
        for start in starts:
            for end in ends:
                rest = " ".join(parts[start:end])
                if self.is_known(rest):
                    return rest
        return " ".join(parts[min(small(0, ("on", "in", "at", "the")), len(parts) - 1) :])

    def is_known(self, name):
        return name_words(name) in self.names

    def are_known(self, names):
        return all(map(self.is_known, names))

    def said(self, text):
        """The names that a sentence gives which otherwise says only what the question says."""
        # A block called `a` cannot be told from the article.
        if any(len(name) == 1 and name[0] in WORDS["function_words"] for name in self.names):
            return None
        tokens = [part for token in words_of(text) for part in parted(token)]
        names, run, named, at = [], None, set(), 0
        while at < len(tokens):
            here = next((name for name in self.names if tokens[at : at + len(name)] == name), None)
            if here is None:
                at += 1
                continue
            end = at + len(here)
            named.update(range(at, end))
            if not self.names_of_question(" ".join(here)):
                names.append(" ".join(here))
                run = (run[0] if run else at, end)
            at = end
        negations = 0
        # What the question says, too, before the last name and behind it.
        before, behind = [], []
        for at, token in enumerate(tokens):
            if at in named or not is_word(token):
                continue
            within = run is not None and run[0] <= at < run[1]
            joins = token in ("and", "the", "a", "an", "both")
            verb = token in "is are was were has have had does do did be".split()
            if is_negation(token):
                negations += 1
                if within:
                    return None
            elif (
                token in WORDS["hedges"]
                or not self.echoes(token)
                or within
                and (verb or not (joins or self.asks(token)))
            ):
                return None
            elif token not in WORDS["function_words"]:
                place = behind if run is not None and at >= run[1] else before
                if stem(token) not in place:
                    place.append(stem(token))
        if not names:
            none = any(token in ("none", "nothing", "nobody") for token in tokens)
            lacking = any(one == "no" and stem(two) == self.noun for one, two in zip(tokens, tokens[1:]))
            alone = negations == 1 and (not before or len(before) == 1 and tokens[0] == "none")
            doubled = "not" in tokens and " not " not in self.text
            denies = (none or lacking) and (negations == self.negations + 1 or alone) and not doubled
            return () if denies else None
        # Where the question has a `no`, a sentence that says what it says has one as well.
        short = not behind and len(before) <= 1
        if negations != self.negations and not (negations == 0 and short):
            return None
        return tuple(sorted(set(names)))

    def names_of_question(self, name):
        spread = " ".join(part for token in self.text.split(" ") for part in parted(token))
        return f" {name} " in f" {spread} "


def boolean(text):
    """The yes or no of a statement."""
    tokens = words_of(text)
    if len(tokens) == 1 and tokens[0] in ("y", "t", "1", "correct", "n", "f", "0", "incorrect"):
        return tokens[0] in ("y", "t", "1", "correct")
    at = 0
    while at < len(tokens) and (tokens[at] in WORDS["before_bool"] or tokens[at] in (",", ":", '"', "'", "(", "[")):
        at += 1
    denied = at < len(tokens) and tokens[at] in ("not", "isn't")
    at += denied
    if at >= len(tokens):
        return None
    word = tokens[at]
    subject = any(w in ("is", "it's", "that's") for w in tokens[:at])
    if word in ("yes", "true") or word in ("correct", "right") and (subject or denied):
        value = True
    elif word in ("no", "false") or word in ("incorrect", "wrong") and subject:
        value = False
    else:
        return None
    plain = word in ("yes", "no")
    if denied and (plain or not value):
        return None
    rest = tokens[at + 1 :]
    after = rest[0] if rest else ""
    if word == "no" and is_word(after) and after not in WORDS["after_no"] or after in ("/", "or"):
        return None
    behind = " ".join(filter(is_word, rest)) + " "
    if any(behind.startswith(condition + " ") for condition in WORDS["conditions"]):
        return None
    # The other word as an answer: at an end, before a comma, behind `or`; else `no` is a part of a reason.
    said = value != denied
    for at, word in enumerate(rest):
        before = rest[at - 1] if at else ""
        after = rest[at + 1] if at + 1 < len(rest) else ""
        ends = not is_word(after) or after == "--"
        if (
            word == "yes"
            and plain
            and not said
            or word == "no"
            and plain
            and said
            and (ends or before in ("or", "be", "maybe", "also"))
            or word == "false"
            and said
            and before in ("or", "be", "also")
            or word == "true"
            and not said
            and before in ("or", "be", "also")
            or word in ("maybe", "perhaps", "possibly", "unsure", "uncertain")
            or word == "sure"
            and before == "not"
        ):
            return None
    return said


# --------------------------------------------------------------------------------------------------- the final answer


def final_answer(text, asked):
    """The readings of the final answer of a text; more than one only where a list may be cut in several ways, and none
    where there is no answer."""
    # A model that goes on makes up further questions of its own.
    begin = len(text) - len(text.lstrip())
    at = first_place(text[begin:], WORDS["run_on"])
    if at is not None:
        found = of_text(text[: begin + at], asked, 0)
        if found:
            return found
    return of_text(text, asked, 0)


def of_text(text, asked, depth):
    plain = Plain(text)
    claims = []  # Places that give an answer: statement, standing, readings.
    for number, statement in enumerate(plain.statements):
        for content in plain.marks(statement):
            readings = [] if offers(statement) else of_content(content, asked, depth)
            claims.append((number, MARKED, readings))
        whole = plain.with_marked(statement)
        # A question gives no answer, and what would be under a condition is none either.
        if statement.endswith("?") or asked.is_conditional(whole):
            continue
        stated = announced(whole)
        if stated:
            standing, body = stated
            # A value of JSON, with others behind it.
            value = "{" in whole and body.startswith(('"', "["))
            claims.append((number, standing, asked.readings(quoted(body) if value else body)))
            continue
        body = concluded(whole)
        readings = asked.sure(body) if body is not None else []
        if readings:
            claims.append((number, CONCLUDED, readings))
    claims = joined(claims, plain, asked)
    explicit = any(standing >= STATED for _, standing, _ in claims)
    last = max(len(plain.statements) - 1, 0)
    claimed = {number for number, _, _ in claims}
    for number, statement in enumerate(plain.statements):
        if number in claimed:
            continue
        if number == last and not explicit:
            readings = asked.readings(statement) if last == 0 else asked.sure(statement)
        else:
            readings = asked.leading(statement) if number == 0 else asked.bare(statement)
        if readings:
            claims.append((number, SAID, readings))
    if not claims and last > 0:
        claims.append((last, SAID, asked.readings(plain.statements[last])))
    whole = whole_list(plain, asked)
    if whole is not None:
        return whole
    return resolved(sorted(claims, key=lambda claim: claim[0]), plain)


def of_content(content, asked, depth):
    """The answer in a box or tag, which may hold thoughts as well."""
    plain = Plain("\n".join(filter(None, map(str.strip, lines_of(content)))))
    found = asked.readings(plain.statements[0]) if len(plain.statements) == 1 and not plain.marked else []
    # No text nests deeply in earnest.
    return found if found or depth >= DEEPEST else of_text(content, asked, depth + 1)


def joined(claims, plain, asked):
    """Boxes of one statement with nothing but commas between them are one list."""
    if asked.kind != "names":
        return claims
    for number, statement in enumerate(plain.statements):
        marks = plain.marks(statement)
        if len(marks) > 1:
            readings = asked.readings("" if offers(statement) else ", ".join(marks))
            claims = [claim for claim in claims if claim[0] != number or claim[1] != MARKED]
            claims.append((number, MARKED, readings))
    return claims


def whole_list(plain, asked):
    """A text that is a list of names, one a line."""
    if asked.kind != "names" or len(plain.statements) < 2 or plain.marked:
        return None
    for statement in plain.statements:
        found = asked.bare(statement)
        if not found or not found[0]:
            return None
    return asked.readings("\n".join(plain.statements))


def announced(statement):
    """What stands behind the last "answer is" of a statement, and how plainly."""
    found = None
    for place in re.finditer("answer", statement):
        before = statement[: place.start()]
        if before[-1:].isalnum() or "whether " in before:
            continue
        body = behind_verb(statement[place.end() :].removeprefix("s"))
        if body is None:
            continue
        word = before.rstrip()
        while word and (word[-1].isspace() or word[-1] in "\"'_"):
            word = word[:-1]
        found = (FINAL if word.endswith("final") else STATED, body)
    if found:
        return found
    head, colon, body = statement.partition(":")
    head = head.strip()
    for start in ("final ", "the "):
        while head.startswith(start):
            head = head[len(start) :]
    return (STATED, lead(body)) if colon and head in WORDS["announced"] else None


def behind_verb(rest):
    """What stands behind the verb or colon that follows "answer"."""
    while True:
        rest = begun(rest, "\"'(),")
        for sign in (":", "=", "->", "--", "- "):
            if rest.startswith(sign):
                return lead(rest[len(sign) :])
        end = next((at for at, c in enumerate(rest) if not c.isalpha()), len(rest))
        word, after = rest[:end], rest[end:]
        if word in WORDS["verbs"]:
            # "isn't": what follows is denied.
            return lead("n't" if after.startswith("n't") else after)
        if not word or word not in WORDS["between"]:
            return None
        rest = after


def lead(body):
    """The beginning of an answer, behind words that only lead to it."""
    while True:
        body = begun(body, ":,=")
        rests = (body[len(word) :] for word in WORDS["leads"] if body.startswith(word))
        rest = next((rest for rest in rests if rest.startswith((" ", ",", ":"))), None)
        if rest is None:
            return body
        body = rest


def quoted(body):
    """The first text or list of a JSON value."""
    if body.startswith('"'):
        return body[1:].split('"')[0]
    end = body.find("]")
    return body if end < 0 else body[: end + 1]


def concluded(statement):
    """What stands behind the last word that concludes."""
    found = None
    for word in WORDS["conclusions"]:
        for place in re.finditer(re.escape(word), statement):
            before, rest = statement[: place.start()].rstrip(), statement[place.end() :]
            starts = not before or before.endswith((",", ";", "-", ":", " and"))
            if starts and rest.startswith((" ", ",", ":")) and (found is None or place.start() >= found[0]):
                found = (place.start(), rest)
    return None if found is None else lead(found[1])


def resolved(claims, plain):
    """The answer that the claims come to, in the order of the text."""
    if not claims:
        return []
    top = max(standing for _, standing, _ in claims)
    place = max(number for number, claim in enumerate(claims) if claim[1] == top)
    last = claims[place]
    if not last[2]:
        return []

    def agree(one, other):
        return any(reading in other[2] for reading in one[2])

    def between(start, end, known):
        told = plain.statements[start + (end > start) : end + 1]
        return any(word in known for text in told for word in re.split(r"[\W_]", text))

    for claim in claims[:place]:
        if claim[2] and not agree(claim, last):
            weaker = claim[1] < last[1] and last[1] >= FINAL
            if not weaker and not between(claim[0], last[0], WORDS["turns"]):
                return []
    for claim in claims[place + 1 :]:
        if not claim[2] or agree(claim, last):
            continue
        if between(last[0], claim[0], WORDS["corrections"]):
            last = claim
        elif claim[1] != CONCLUDED:
            return []
    told = plain.statements[last[0] :]
    taken_back = any(phrase in text for text in told for phrase in WORDS["retractions"])
    return [] if taken_back else last[2]


# ------------------------------------------------------------------------------------------------- filter and metric


def kind_of(doc):
    return {"verify": "bool", "count": "number"}.get(doc["question_type"], "names")


def gold(doc):
    """The answer of an item in the form of a reading."""
    kind, answer = kind_of(doc), doc["answer"]
    if kind == "bool" and answer in ("yes", "true", "no", "false"):
        return answer in ("yes", "true")
    if kind == "number" and number_of(answer) is not None:
        return number_of(answer)
    return () if answer == "none" else tuple(sorted({name_of(part) for part in cut(answer, False)}))


def told(reading):
    if isinstance(reading, bool):
        return "yes" if reading else "no"
    return str(reading) if isinstance(reading, int) else json.dumps(reading)


def final_answers(resps, docs):
    """The filter: of each response, the answer as one text. Of a list that may be cut in several ways, the right one."""

    def answer(text, doc):
        asked = Asked(kind_of(doc), doc["question"], doc["names"])
        found = final_answer(text if isinstance(text, str) else "", asked)
        if not found:
            return "[no answer]"
        return told(gold(doc) if gold(doc) in found else found[0])

    return [[answer(text, doc) for text in some] for some, doc in zip(resps, docs)]


def score(doc, results):
    """1 where the filtered response is the answer, lists in any order."""
    return {"exact_match": float(results[0] == told(gold(doc)))}
