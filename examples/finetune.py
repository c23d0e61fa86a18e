#!/usr/bin/env python3
"""Trains a tiny language model on a data set of racgen, has it answer the test split, and scores its answers.

    racgen --domain blocks --items 4000 --rules without --mix verify=1 --out data/blocks
    python3 examples/finetune.py data/blocks
    python3 examples/finetune.py --check target/debug/racgen     # makes a data set of its own first

The model is a GPT-2 of two layers that starts from random weights, over words as tokens, so nothing is downloaded. It
takes a processor two minutes or less. Do not expect reasoning of it: the point is the way from Parquet files to a
table of scores. Needs torch, transformers and datasets.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

PAD, UNKNOWN, ANSWER, END = range(4)
LONGEST_ANSWER = 12


def missing_packages():
    """The first package that cannot be imported, and why."""
    for package in ("torch", "transformers", "datasets"):
        try:
            __import__(package)
        except ImportError as error:
            return f"{package}: {error}"
    return None


def words(text):
    return re.findall(r"[\w-]+|[^\w\s]", text.lower())


class Words:
    """Words to numbers; those that the training split lacks are one."""

    def __init__(self, rows):
        counts = collections.Counter()
        for row in rows:
            counts.update(words(row["context"]) + words(row["question"]) + words(row["answer"]))
        known = [word for word, _ in counts.most_common()]
        self.words = ["<pad>", "<unknown>", "<answer>", "<end>"] + known
        self.numbers = {word: number for number, word in enumerate(self.words)}

    def encode(self, text):
        return [self.numbers.get(word, UNKNOWN) for word in words(text)]

    def prompt(self, row):
        return self.encode(row["context"]) + self.encode(row["question"]) + [ANSWER]

    def decode(self, tokens):
        text = " ".join(self.words[token] for token in tokens)
        return text.replace(" ,", ",")


def batches(items, size):
    for start in range(0, len(items), size):
        yield items[start : start + size]


def padded(torch, sequences, value):
    longest = max(map(len, sequences))
    return torch.tensor([sequence + [value] * (longest - len(sequence)) for sequence in sequences])


def train(torch, model, vocabulary, rows, seconds, size=16):
    """Goes through the rows again and again until the time is up; only the answers are learnt."""
    items = [(vocabulary.prompt(row), vocabulary.encode(row["answer"]) + [END]) for row in rows]
    items.sort(key=lambda item: len(item[0]))
    groups = list(batches(items, size))
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    model.train()
    start, steps, losses = time.monotonic(), 0, []
    while time.monotonic() - start < seconds:
        for place in torch.randperm(len(groups)).tolist():
            group = groups[place]
            tokens = padded(torch, [prompt + answer for prompt, answer in group], PAD)
            labels = padded(torch, [[-100] * len(prompt) + answer for prompt, answer in group], -100)
            loss = model(input_ids=tokens, attention_mask=(tokens != PAD).long(), labels=labels).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad()
            losses.append(loss.item())
            steps += 1
            if time.monotonic() - start >= seconds:
                break
    first, last = sum(losses[:20]) / len(losses[:20]), sum(losses[-20:]) / len(losses[-20:])
    print(f"{steps} steps; the loss went from {first:.3f} to {last:.3f}", flush=True)
    return first, last


def predict(torch, model, vocabulary, rows, size=32):
    """The most likely answer to each row, word by word."""
    model.eval()
    answers = {}
    items = sorted(((vocabulary.prompt(row), row["id"]) for row in rows), key=lambda item: len(item[0]))
    # Prompts of one length go together, so that no padding stands between prompt and answer.
    lengths = collections.defaultdict(list)
    for item in items:
        lengths[len(item[0])].append(item)
    with torch.no_grad():
        for group in (group for same in lengths.values() for group in batches(same, size)):
            tokens = torch.tensor([prompt for prompt, _ in group])
            found = torch.zeros((len(group), 0), dtype=torch.long)
            for _ in range(LONGEST_ANSWER):
                next_words = model(input_ids=tokens).logits[:, -1].argmax(-1, keepdim=True)
                found = torch.cat([found, next_words], 1)
                tokens = torch.cat([tokens, next_words], 1)
                if (found == END).any(1).all():
                    break
            for (_, key), row in zip(group, found.tolist()):
                answers[key] = vocabulary.decode(row[: row.index(END)] if END in row else row)
    return answers


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("data", nargs="?", help="output folder of racgen")
    arguments.add_argument("--racgen", default="racgen", help="the command that scores")
    arguments.add_argument("--seconds", type=float, default=75, help="how long to train")
    arguments.add_argument("--check", metavar="RACGEN", help="make a data set with this racgen, and go through all of it")
    options = arguments.parse_args()
    if missing := missing_packages():
        if options.check and missing.split(":")[0] not in os.environ.get("RACGEN_REQUIRE", "").split(","):
            print(f"finetune: skipped, {missing}")
            return
        sys.exit(f"finetune: needs torch, transformers and datasets; {missing}")
    with tempfile.TemporaryDirectory() as folder:
        if options.check:
            options.racgen, options.data = options.check, os.path.join(folder, "data")
            make = "--domain blocks --items 2500 --rules without --splits train=90,test=10 --quiet --out"
            subprocess.run([options.racgen, *make.split(), options.data], check=True)
        if not options.data:
            arguments.error("which data? give the output folder of a run")
        run(options, folder)


def run(options, folder):
    import datasets
    import torch
    import transformers

    torch.manual_seed(0)
    data = datasets.load_dataset(options.data, cache_dir=os.path.join(folder, "cache"))
    splits = {name: list(rows) for name, rows in data.items()}
    vocabulary = Words(splits["train"])
    longest = max(len(vocabulary.prompt(row)) for rows in splits.values() for row in rows) + LONGEST_ANSWER + 1
    model = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(vocabulary.words), n_positions=longest, n_embd=96, n_layer=2, n_head=4,
            bos_token_id=END, eos_token_id=END, pad_token_id=PAD,
        )
    )  # fmt: skip
    weights = sum(weight.numel() for weight in model.parameters())
    print(f"{len(splits['train'])} items to learn from, {len(vocabulary.words)} words, {weights} weights", flush=True)
    first, last = train(torch, model, vocabulary, splits["train"], options.seconds)
    answers = predict(torch, model, vocabulary, splits["test"])
    predictions = os.path.join(folder, "predictions.jsonl")
    with open(predictions, "w", encoding="utf-8") as file:
        for key, answer in answers.items():
            file.write(json.dumps({"id": key, "prediction": answer}) + "\n")
    command = [options.racgen, "score", f"tiny GPT-2={predictions}", "--gold", options.data]
    print(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if options.check:
        check(options, predictions, len(splits["test"]), first, last)


def check(options, predictions, items, first, last):
    """What must be so however little was learnt: the loss fell, and every test item was answered and scored."""
    command = [options.racgen, "score", f"tiny={predictions}", "--gold", options.data, "--as", "json"]
    scores = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    tally = scores[0]["groups"]["all"]["all"]
    if not last < first or scores[0]["missing"] or tally["items"] != items or tally["right"] == 0:
        sys.exit(f"finetune: the loss went from {first:.3f} to {last:.3f}; {scores[0]['missing']} items of {items} lack a "
                 f"prediction; {tally['right']} are right")  # fmt: skip
    print(f"finetune: ok, {tally['right']} of {items} test items are right")


if __name__ == "__main__":
    main()
