#!/usr/bin/env python3
"""Reads a data set that racgen wrote with the tools people use, and holds what they see against the manifest.

    python3 scripts/check_files.py FOLDER

The tools are pyarrow, polars, duckdb and Hugging Face datasets; those that are not installed are skipped. Each is
checked for numbers of rows, types of columns, unique ids, labels, and worlds that only one split has. Hugging Face
datasets loads every configuration of the card, the other forms of the items included, offline. One line a tool; the
exit code is 1 if anything is wrong.
"""

import collections
import hashlib
import json
import os
import sys
import tempfile

# Before the import of datasets, which would go looking for the Hub.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

TEXT, NUMBER, TEXTS, OBJECTS = "text", "number", "texts", "objects"
COLUMNS = {
    "id": TEXT, "domain": TEXT, "split": TEXT, "world": TEXT, "level": NUMBER, "depth": NUMBER,
    "question_type": TEXT, "family": TEXT, "template": TEXT, "context": TEXT, "initial_state": TEXT, "rules": TEXT,
    "actions": TEXT, "question": TEXT, "answer": TEXT, "answer_type": TEXT, "objects": OBJECTS, "facts": TEXTS,
    "plan": TEXTS, "query": TEXT, "gold": TEXTS, "rationale": TEXT, "pair": TEXT, "change": TEXT, "source": TEXT,
    "seed": NUMBER, "index": NUMBER,
}  # fmt: skip
# What only items of domains have; null is allowed, and CSV has texts.
MORE = {"effective_depth": ["int64", "string"]}
MAY_BE_EMPTY = ["rationale", "pair", "change", "source"]
# What is read of every row; the other columns are read of the first rows of each file.
KEYS = ["id", "domain", "split", "world", "level", "depth", "question_type", "family", "gold"]
FIRST = 50
# Yes and no may differ by so many items, or so large a share, in all verify questions of a split, level and depth.
LABEL_ITEMS, LABEL_SHARE = 4, 0.02


class Wrong(Exception):
    """Something that is not as it should be, in words."""


# --------------------------------------------------------------------------- readers: a file to columns of values


def read_pyarrow(path, form, columns, first):
    if form == "parquet":
        import pyarrow.parquet

        table = pyarrow.parquet.ParquetFile(path).read(columns=columns)
    elif form == "jsonl":
        import pyarrow.json

        options = pyarrow.json.ReadOptions(block_size=1 << 24)
        table = pyarrow.json.read_json(path, read_options=options).select(columns)
    else:
        import pyarrow.csv

        # An empty text is no missing value.
        options = pyarrow.csv.ConvertOptions(include_columns=columns, null_values=[])
        parse = pyarrow.csv.ParseOptions(newlines_in_values=True)
        table = pyarrow.csv.read_csv(path, convert_options=options, parse_options=parse)
    return (table.slice(0, first) if first else table).to_pydict()


def read_polars(path, form, columns, first):
    import polars

    if form == "parquet":
        table = polars.read_parquet(path, columns=columns)
    elif form == "jsonl":
        table = polars.read_ndjson(path, infer_schema_length=None).select(columns)
    else:
        table = polars.read_csv(path, columns=columns, infer_schema_length=None)
    return (table.head(first) if first else table).to_dict(as_series=False)


def read_duckdb(path, form, columns, first):
    import duckdb

    source = {
        "parquet": "read_parquet(?)",
        "jsonl": "read_json(?, format = 'newline_delimited', maximum_object_size = 67108864)",
        "csv": "read_csv(?, header = true, max_line_size = 67108864)",
    }[form]
    names = ", ".join(f'"{name}"' for name in columns)
    limit = f" limit {first}" if first else ""
    rows = duckdb.execute(f"select {names} from {source}{limit}", [path]).fetchall()
    return dict(zip(columns, map(list, zip(*rows)))) if rows else {name: [] for name in columns}


READERS = {"pyarrow": read_pyarrow, "polars": read_polars, "duckdb": read_duckdb}


# ------------------------------------------------------------------------------------------------- what is checked


def check_types(columns, form, place):
    for name, kind in COLUMNS.items():
        for value in columns[name]:
            if form == "csv" and kind in (TEXTS, OBJECTS):
                value = json.loads(value)
            texts = kind != TEXTS or isinstance(value, list) and all(isinstance(item, str) for item in value)
            objects = kind != OBJECTS or all(
                sorted(item) == ["id", "name", "type"] and all(isinstance(part, str) for part in item.values())
                for item in value
            )
            text = kind != TEXT or isinstance(value, str)
            number = kind != NUMBER or isinstance(value, int)
            # A CSV reader takes a column of numbers for numbers, whatever it holds elsewhere, and may take an empty
            # text for none.
            text = text or form == "csv" and (isinstance(value, int) or value is None and name in MAY_BE_EMPTY)
            if not (texts and objects and text and number):
                raise Wrong(f"{place}: {name} is no {kind}: {value!r}")


class Content:
    """The rows of one configuration, as one tool reads them from one format."""

    def __init__(self):
        self.ids = set()
        self.rows = collections.Counter()
        self.worlds = collections.defaultdict(set)
        self.cells = collections.defaultdict(lambda: [0, 0, 0])

    def add(self, columns, form):
        for row in zip(*(columns[name] for name in KEYS)):
            key, domain, split, world, level, depth, kind, family, gold = row
            if form == "csv":
                gold = json.loads(gold)
            if key in self.ids:
                raise Wrong(f"the id {key} stands twice")
            self.ids.add(key)
            self.rows[split] += 1
            self.worlds[split].add(world)
            cell = self.cells[domain, split, kind, family, level, depth]
            cell[0] += 1
            if kind == "verify":
                if gold not in (["yes"], ["no"]):
                    raise Wrong(f"the verify item {key} has the answer {gold}")
                cell[1] += gold == ["yes"]
                cell[2] += gold == ["no"]

    def check(self, config, by_world):
        totals = collections.defaultdict(lambda: [0, 0])
        for (domain, split, _, _, level, depth), (_, yes, no) in self.cells.items():
            total = totals[f"{domain} {split} N{level}/A{depth}"]
            total[0] += yes
            total[1] += no
        for place, (yes, no) in totals.items():
            if abs(yes - no) > max(LABEL_ITEMS, LABEL_SHARE * (yes + no)):
                raise Wrong(f"{place}: {yes} yes and {no} no")
        splits = sorted(self.worlds)
        for number, one in enumerate(splits):
            for other in splits[:number]:
                shared = self.worlds[one] & self.worlds[other]
                if by_world and shared:
                    raise Wrong(f"{config}: {one} and {other} share {len(shared)} worlds, such as {min(shared)}")


def check_hashes(folder, manifest):
    entries = manifest["files"] + manifest.get("forms", [])
    for entry in entries:
        path = os.path.join(folder, entry["path"])
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        if digest.hexdigest() != entry["sha256"] or os.path.getsize(path) != entry["bytes"]:
            raise Wrong(f"{entry['path']} is not the file of the manifest")
    return f"{len(entries)} files have their SHA-256; {most_uneven(manifest)}"


def config_of(path):
    """`blocks/data/train-00000-of-00001.parquet` belongs to `blocks`, `data/...` to the only configuration."""
    return path.rsplit("/data/", 1)[0] if "/data/" in path else ""


def most_uneven(manifest):
    """The questions of one family, split, level and depth in which yes and no differ most, for their number: for the
    reader to judge."""
    verify = [count for count in manifest["counts"] if count["question_type"] == "verify"]
    if not verify:
        return "no verify questions"
    most = max(verify, key=lambda count: abs(count["yes"] - count["no"]) / count["items"] ** 0.5)
    place = "{domain} {split} N{level}/A{depth}, {family}".format(**most)
    return f"yes and no differ most in {place}: {most['yes']} and {most['no']}"


def check_whole(contents, manifest):
    """All configurations of one tool and format, against the counts of the manifest."""
    found = collections.Counter()
    for content in contents:
        for key, numbers in content.cells.items():
            for name, number in zip(("items", "yes", "no"), numbers):
                found[key + (name,)] += number
    keys = ("domain", "split", "question_type", "family", "level", "depth")
    for count in manifest["counts"]:
        key = tuple(count[name] for name in keys)
        for name in ("items", "yes", "no"):
            number = found.pop(key + (name,), 0)
            if number != count[name]:
                raise Wrong(f"{key}: {number} {name}, the manifest says {count[name]}")
    if any(found.values()):
        raise Wrong(f"rows that the manifest does not know: {next(iter(found))}")
    for split, known in manifest["worlds"].items():
        worlds = set().union(*(content.worlds[split] for content in contents))
        if worlds != set(known["keys"]):
            raise Wrong(f"{split} has {len(worlds)} worlds, the manifest says {known['distinct']}")


def check_tool(tool, folder, manifest, by_world):
    read = READERS[tool]
    rows = collections.Counter()
    for form in sorted({entry["format"] for entry in manifest["files"]}):
        contents = collections.defaultdict(Content)
        for entry in (entry for entry in manifest["files"] if entry["format"] == form):
            path = os.path.join(folder, entry["path"])
            check_types(read(path, form, list(COLUMNS), FIRST), form, entry["path"])
            columns = read(path, form, KEYS, None)
            if len(columns["id"]) != entry["rows"]:
                raise Wrong(f"{entry['path']}: {len(columns['id'])} rows, the manifest says {entry['rows']}")
            contents[config_of(entry["path"])].add(columns, form)
            rows[form] += entry["rows"]
        for config, content in contents.items():
            content.check(config, by_world)
        check_whole(contents.values(), manifest)
    return ", ".join(f"{number} rows of {form}" for form, number in rows.items())


def column_type(feature):
    """A column's type as datasets has it, in words; None for one that no card of racgen names."""
    import datasets

    if isinstance(feature, datasets.Value):
        return feature.dtype
    if isinstance(feature, dict):
        return {name: column_type(part) for name, part in feature.items()}
    if isinstance(feature, datasets.List):
        return [column_type(feature.feature)]
    return None


# By the last word of a configuration's name, the columns that the form has besides the id.
CHAT = [{"role": "string", "content": "string"}]
FORMS = {
    "qa": {"context": "string", "question": "string", "answer": "string"},
    "prompt_completion": {"prompt": "string", "completion": "string"},
    "messages": {"messages": CHAT},
    "text": {"text": "string"},
    "boolq": {"passage": "string", "question": "string", "answer": "bool"},
}
# The types of racgen's own columns; a list is a text in CSV.
OWN = {TEXT: ["string"], NUMBER: ["int32", "int64"], TEXTS: [["string"], "string"]}
OWN[OBJECTS] = [[{"id": "string", "type": "string", "name": "string"}], "string"]


def check_features(config, table, form):
    """The columns that were loaded are those of the form, with their types."""
    found = {name: column_type(feature) for name, feature in table.features.items()}
    if form:
        if found != FORMS[form] | {"id": "string"}:
            raise Wrong(f"{config}: the columns are {found}")
        return
    more = [name for name in found if name in MORE]
    if list(found) != list(COLUMNS) + more or any(found[name] not in MORE[name] for name in more):
        raise Wrong(f"{config}: the columns are {list(found)}")
    for name, kind in COLUMNS.items():
        if found[name] not in OWN[kind]:
            raise Wrong(f"{config}: the column {name} is {found[name]}")


def check_form(config, form, split, table, gold):
    """The items of a form are those of the data set, by their ids, with the same answers, or what leads to them."""
    for row in table:
        if row["id"] not in gold:
            raise Wrong(f"{config}, {split}: no item has the id {row['id']}")
        answer, rationale, of_split = gold[row["id"]]
        # What a model is to write: with a rationale, the steps that end with the answer.
        said = answer if form in ("qa", "boolq") else rationale or answer
        told = {
            "qa": lambda: row["answer"],
            "prompt_completion": lambda: row["completion"].removeprefix(" "),
            "messages": lambda: row["messages"][-1]["content"],
            "text": lambda: row["text"].rsplit("\nAnswer: ", 1)[-1],
            "boolq": lambda: "yes" if row["answer"] else "no",
        }[form]()
        if told != said or split != of_split:
            raise Wrong(f"{config}, {split}: the item {row['id']} has the answer {told!r}, not {said!r}")
        if form == "messages" and [m["role"] for m in row["messages"]] != ["system", "user", "assistant"]:
            raise Wrong(f"{config}, {split}: the item {row['id']} has other roles")


def check_datasets(folder, manifest, by_world):
    """Hugging Face datasets loads every configuration of the card, one format of it, without a network."""
    import datasets

    datasets.disable_progress_bars()
    contents = []
    rows = 0
    counts = collections.Counter()
    for entry in manifest.get("forms", []):
        counts[config_of(entry["path"]), entry["split"]] += entry["rows"]
    forms = {config for config, _ in counts}
    gold = {}
    configs = sorted(datasets.get_dataset_config_names(folder), key=lambda config: config in forms)
    for config in forms - set(configs):
        raise Wrong(f"the card does not name the configuration {config}")
    with tempfile.TemporaryDirectory() as cache:
        for config in configs:
            form = next((form for form in FORMS if config in forms and config.endswith(form)), None)
            builder = datasets.load_dataset_builder(folder, config, cache_dir=cache)
            promised = {name: split.num_examples for name, split in (builder.info.splits or {}).items()}
            loaded = datasets.load_dataset(folder, config, cache_dir=cache)
            if promised != {name: len(table) for name, table in loaded.items()}:
                raise Wrong(f"{config}: the card promises {promised} rows")
            content = Content()
            for split, table in loaded.items():
                check_features(config, table, form)
                rows += len(table)
                if form:
                    if len(table) != counts[config, split]:
                        raise Wrong(f"{config}, {split}: {len(table)} rows, the manifest has {counts[config, split]}")
                    check_form(config, form, split, table, gold)
                    continue
                kind = "csv" if isinstance(table[0]["gold"], str) else "parquet"
                check_types(table.select(range(min(FIRST, len(table)))).to_dict(), kind, f"{config} {split}")
                content.add(table.select_columns(KEYS).to_dict(), kind)
                told = table.select_columns(["id", "answer", "rationale"])
                # A CSV reader may take an empty text for none.
                gold.update((row["id"], (row["answer"], row["rationale"] or "", split)) for row in told)
                if set(table.unique("split")) != {split}:
                    raise Wrong(f"{config}: the split {split} holds rows of another")
            if not form:
                content.check(config, by_world)
                contents.append(content)
            del loaded
    check_whole(contents, manifest)
    return f"{rows} rows of {len(configs)} configurations, {len(forms)} of them other forms, by the card"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    try:
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
    except OSError as error:
        sys.exit(f"check_files: {folder} holds no finished data set: {error}")
    by_world = all(job["settings"]["split_by"] == "world" for job in manifest["settings"])
    checks = {"files": lambda: check_hashes(folder, manifest)}
    for tool in READERS:
        checks[tool] = lambda tool=tool: check_tool(tool, folder, manifest, by_world)
    checks["datasets"] = lambda: check_datasets(folder, manifest, by_world)
    failed = False
    for name, check in checks.items():
        try:
            if name != "files":
                __import__(name)
            print(f"check_files: {name:9} ok: {check()}", flush=True)
        except ImportError as error:
            if name in os.environ.get("RACGEN_REQUIRE", "").split(","):
                failed = True
                print(f"check_files: {name:9} MISSING, and RACGEN_REQUIRE names it: {error}", flush=True)
                continue
            print(f"check_files: {name:9} skipped: {error}", flush=True)
        except Wrong as error:
            failed = True
            print(f"check_files: {name:9} WRONG: {error}", flush=True)
        except BrokenPipeError:
            os._exit(1)  # Nobody reads on; there is nowhere to say so.
        except Exception as error:  # A tool that cannot read the files, whatever it raises.
            failed = True
            print(f"check_files: {name:9} FAILED: {type(error).__name__}: {error}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
