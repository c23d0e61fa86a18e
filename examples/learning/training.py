"""Examples to a trained model, and a model to its answers."""

import math
import random
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from models import Recurrent, Transformer
from text import END, IN_TERMS, PAD, Example, Vocabulary, told


# How many times as many examples a recurrent model is shown. It has to find out how to keep apart what it read before it learns anything
# of what it reads; a transformer looks it up again.
PATIENCE = 3


@dataclass(frozen=True)
class Size:
    """How large models and runs are."""

    width: int
    layers: int
    heads: int
    # Training examples that a run sees, whole passes over its set put together: as terms, in English, which is longer, and of many
    # domains.
    seen: int
    seen_in_english: int
    seen_of_domains: int
    # The same where yes/no questions and whole situations are learned side by side, which takes longer.
    seen_of_both: int
    # Items of training sets and of each test set.
    train: int
    test: int
    # Items of each set of many domains.
    of_domains: int
    # Runs of each experiment with other random numbers.
    runs: int
    # Tokens of a batch, and the largest step.
    batch: int = 6_000
    rate: float = 2e-3

    def tokens(self, form: str, kind: str) -> int:
        """Tokens of a batch. What rules mean is learned in many small steps rather than few large ones, and so is English. So is all that a
        recurrent model learns: in as few steps as a transformer takes it finds no more than what answers look like. Rationales alone it
        is shown in large ones, since it takes its time for each token of them, and small ones would take an hour."""
        if kind == "recurrent":
            return self.batch if form == "rationale" else self.batch // 4
        return self.batch if form in ("terms", "steps") else self.batch // 2

    def shown(self, form: str, kind: str, both: bool) -> int:
        if form not in IN_TERMS:
            seen = self.seen_in_english
        else:
            seen = self.seen_of_domains if form == "changes" else self.seen_of_both if both else self.seen
        return seen * PATIENCE if kind == "recurrent" else seen


SIZES = {
    "tiny": Size(
        width=32, layers=1, heads=2, seen=200, seen_in_english=200, seen_of_domains=200, seen_of_both=200, train=100, test=40, of_domains=80, runs=1,
        batch=2_000,
    ),
    "small": Size(
        width=128, layers=4, heads=4, seen=40_000, seen_in_english=20_000, seen_of_domains=12_000,
        seen_of_both=120_000, train=40_000, test=400, of_domains=12_000, runs=1,
    ),
    "medium": Size(
        width=256, layers=6, heads=8, seen=200_000, seen_in_english=100_000, seen_of_domains=200_000,
        seen_of_both=300_000, train=50_000, test=1_000, of_domains=30_000, runs=1, batch=32_768, rate=1e-3,
    ),
    "large": Size(
        width=512, layers=12, heads=8, seen=4_000_000, seen_in_english=4_000_000, seen_of_domains=4_000_000,
        seen_of_both=8_000_000, train=1_000_000, test=5_000, of_domains=400_000, runs=3, batch=262_144, rate=5e-4,
    ),
}


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def made(kind: str, vocabulary: Vocabulary, size: Size, seed: int) -> torch.nn.Module:
    torch.manual_seed(seed)
    tokens = len(vocabulary.tokens)
    if kind == "recurrent":
        return Recurrent(tokens, size.width * 2, 2).to(device())
    return Transformer(tokens, size.width, size.layers, size.heads, placed=kind != "transformer without distances").to(device())


def batches(all: list[Example], most: int, dice: random.Random) -> list[list[Example]]:
    """Examples of like length together, so many tokens at a time, in random order."""
    order = sorted(all, key=lambda e: (len(e.prompt) + len(e.target) + dice.random() * 20))
    out, batch, longest = [], [], 0
    for example in order:
        longest = max(longest, len(example.prompt) + len(example.target))
        if batch and longest * (len(batch) + 1) > most:
            out.append(batch)
            batch, longest = [], len(example.prompt) + len(example.target)
        batch.append(example)
    out += [batch] if batch else []
    dice.shuffle(out)
    return out


def padded(all: list[list[int]]) -> torch.Tensor:
    longest = max(map(len, all))
    tokens = torch.tensor([numbers + [PAD] * (longest - len(numbers)) for numbers in all])
    # Pinned, so that an accelerator need not be waited for.
    return tokens.pin_memory().to(device(), non_blocking=True) if device().type == "cuda" else tokens


def train(model: torch.nn.Module, all: list[Example], size: Size, most: int, at_once: int, seed: int, say=lambda text: None) -> float:
    """Shows a model so many examples, so many tokens at a time; the mean loss of the last tenth of them."""
    dice = random.Random(seed)
    shown, plan = 0, []
    while shown < most:
        for batch in batches(all, at_once, dice):
            if shown < most:
                plan.append(batch)
                shown += len(batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=size.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device().type == "cuda")
    warm = max(1, len(plan) // 20)
    rate = lambda step: min((step + 1) / warm, 0.5 + 0.5 * math.cos(math.pi * step / len(plan)))  # noqa: E731
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    model.train()
    if device().type == "cuda":
        model.compile_parts()
    losses = []
    for step, batch in enumerate(plan):
        tokens = padded([example.prompt + example.target for example in batch])
        # Only what follows the prompt is learned.
        wanted = padded([[PAD] * len(example.prompt) + example.target for example in batch])[:, 1:]
        with torch.autocast(device().type, torch.bfloat16, enabled=device().type == "cuda"):
            scores = model(tokens[:, :-1])
        loss = F.cross_entropy(scores.float().reshape(-1, scores.shape[-1]), wanted.reshape(-1), ignore_index=PAD)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.detach())
        if step % max(1, len(plan) // 10) == 0:
            say(f"step {step} of {len(plan)}, loss {loss.item():.3f}")
    last = losses[-max(1, len(losses) // 10) :]
    return torch.stack(last).mean().item()


def answers(model: torch.nn.Module, all: list[Example], vocabulary: Vocabulary, size: Size, form: str = "english") -> list[str]:
    """What a model says to each example, the likeliest word each time."""
    model.eval()
    most = 3 + max(len(example.target) for example in all) * 5 // 4
    order = sorted(range(len(all)), key=lambda number: len(all[number].prompt))
    out = [""] * len(all)
    while order:
        longest = len(all[order[-1]].prompt)
        count = max(1, size.batch * 2 // (longest + most))
        some, order = order[-count:], order[:-count]
        prompts = padded([all[number].prompt for number in some])
        lengths = torch.tensor([len(all[number].prompt) for number in some], device=device())
        for number, said in zip(some, model.go_on(prompts, lengths, most, END).tolist()):
            out[number] = told(vocabulary.decode(said), all[number].row, form)
    return out
