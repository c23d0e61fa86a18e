"""Promise: the workers of a data loader, forked or spawned, make each row once; TRL rewards as racgen judges."""

import sys
from pathlib import Path

import pytest
from required import need

need("torch")
from torch.utils.data import DataLoader  # noqa: E402

import racgen  # noqa: E402
import racgen.torch  # noqa: E402
import racgen.trl  # noqa: E402

OPTIONS = {"domain": "blocks", "level": (1, 2), "items": 700, "seed": 9, "threads": 1}


@pytest.fixture(scope="module")
def ids():
    return sorted(row["id"] for row in racgen.dataset(**OPTIONS))


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_four_workers_make_each_row_once(ids, method, ranks):
    ds, found = racgen.dataset(**OPTIONS), []
    for rank in range(ranks):
        shared = racgen.torch.iterable(ds, rank=rank, world_size=ranks)
        loader = DataLoader(shared, batch_size=None, num_workers=4, multiprocessing_context=method)
        found += [row["id"] for row in loader]
    assert sorted(found) == ids


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_data_set_is_a_map_style_one(ids, method):
    loader = DataLoader(
        racgen.dataset(**OPTIONS), batch_size=50, num_workers=4, collate_fn=list, multiprocessing_context=method
    )
    assert sorted(row["id"] for batch in loader for row in batch) == ids


def test_grpo_is_paid_by_the_judge(tmp_path):
    trl = need("trl")
    sys.path.insert(0, str(Path(__file__).parent))
    from tiny_model import tiny_model

    seen = []

    def reward(completions, **columns):
        credits = racgen.trl.reward(completions, **columns)
        rows = [{name: columns[name][n] for name in racgen.trl.JUDGED} for n in range(len(completions))]
        texts = [racgen.prompts.said(completion) for completion in completions]
        assert credits == racgen.score_answers(texts, rows)
        right = racgen.trl.reward([[{"role": "assistant", "content": row["answer"]}] for row in rows], **columns)
        assert right == [1.0] * len(completions)
        seen.extend(credits)
        return credits

    trainer = trl.GRPOTrainer(
        model=str(tiny_model(tmp_path / "model")),
        reward_funcs=reward,
        train_dataset=racgen.trl.prompts(racgen.dataset("blocks", depth=(1, 2), items=None)),
        args=trl.GRPOConfig(
            output_dir=str(tmp_path / "out"), max_steps=2, num_generations=2, per_device_train_batch_size=4,
            max_completion_length=8, report_to=[], use_cpu=True, bf16=False, save_strategy="no", disable_tqdm=True,
        ),
    )  # fmt: skip
    assert trainer.train().global_step == 2
    assert len(seen) == 8
