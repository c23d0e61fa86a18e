"""Trains a ready language model on data of racgen with TRL, by examples or by rewards; lm-evaluation-harness tests it.

    python examples/ready_models.py sft --model HuggingFaceTB/SmolLM2-135M-Instruct --out out/sft
    python examples/ready_models.py grpo --model out/sft --out out/grpo
    lm_eval run --model hf --model_args pretrained=out/sft --apply_chat_template --include_path out/sft/tasks/deeper --tasks racgen_cot

`sft` learns rationales with their answers; `grpo` rewards right answers, as `racgen score` judges them. Both make their training
items themselves, and write tasks with test items of other worlds beside the model: those of the training's depths, and deeper
ones. Needs racgen (`pip install .`), and `pip install trl datasets`; an accelerator is wanted for anything but a try.
"""

import argparse
from pathlib import Path

import racgen
import racgen.trl


def made(options: argparse.Namespace, depth: str, items: int) -> racgen.Dataset:
    """The training items of a data set; its tests share no world with any training items, of whatever depth and seed."""
    return racgen.dataset(options.domain, depth=depth, items=items, seed=options.seed, rules="without", rationale=True)


def learn_from_examples(options: argparse.Namespace, common: dict):
    from trl import SFTConfig, SFTTrainer

    data = racgen.trl.conversations(made(options, options.depth, options.items))
    return SFTTrainer(model=options.model, train_dataset=data, args=SFTConfig(max_length=options.longest, **common))


def learn_from_rewards(options: argparse.Namespace, common: dict):
    from trl import GRPOConfig, GRPOTrainer

    data = racgen.trl.prompts(made(options, options.depth, options.items))
    args = GRPOConfig(num_generations=options.generations, max_completion_length=options.longest // 4, **common)
    return GRPOTrainer(model=options.model, reward_funcs=racgen.trl.reward, train_dataset=data, args=args)


WAYS = {"sft": learn_from_examples, "grpo": learn_from_rewards}

asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
asked.add_argument("way", choices=WAYS)
asked.add_argument("--model", default="HuggingFaceTB/SmolLM2-135M-Instruct", help="a name of the hub, or a folder")
asked.add_argument("--out", type=Path, required=True, help="folder for the model; tasks/ is written into it")
asked.add_argument("--domain", default="blocks")
asked.add_argument("--depth", default="1-3", help="numbers of actions that are trained")
asked.add_argument("--deeper", default="4-5", help="numbers of actions that are only tested")
asked.add_argument("--items", type=int, default=20_000)
asked.add_argument("--steps", type=int, default=2_000)
asked.add_argument("--batch", type=int, default=16, help="examples a device and step")
asked.add_argument("--generations", type=int, default=8, help="answers to each prompt that grpo compares")
asked.add_argument("--longest", type=int, default=1_024, help="tokens of a prompt with its answer")
asked.add_argument("--seed", type=int, default=0)
asked.add_argument("--cpu", action="store_true", help="do not use an accelerator")
options = asked.parse_args()

common = dict(
    output_dir=str(options.out),
    max_steps=options.steps,
    per_device_train_batch_size=options.batch,
    learning_rate=2e-5 if options.way == "sft" else 1e-6,
    warmup_steps=options.steps // 20,
    save_strategy="no",
    logging_steps=max(1, options.steps // 50),
    report_to=[],
    seed=options.seed,
)
trainer = WAYS[options.way](options, common | ({"use_cpu": True, "bf16": False} if options.cpu else {}))
trainer.train()
trainer.save_model(str(options.out))
trainer.processing_class.save_pretrained(options.out)
for name, depth in {"seen": options.depth, "deeper": options.deeper}.items():
    # A tenth of them are tests.
    test = made(options, depth, max(400, options.items // 2))
    test.write(str(options.out / "items" / name), lm_eval=str(options.out / "tasks" / name), force=True)
print(f"model in {options.out}, tasks in {options.out / 'tasks'}")
