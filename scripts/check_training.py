#!/usr/bin/env python3
"""Has TRL's SFTTrainer train on the forms `prompt_completion` and `messages` as racgen wrote them.

    python3 scripts/check_training.py FOLDER

FOLDER is the output of `racgen --style prompt_completion,messages`. The model is a GPT-2 of one layer with random
weights, and takes two steps. Skipped, saying so, where torch, transformers, trl or datasets is not installed.
"""

import os
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

# A template as chat models have one, with the marks by which TRL finds what the assistant says.
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|> {{ message['content'] }} <|end|> {% endfor %}"
    "{% if add_generation_prompt %}<|assistant|> {% endif %}"
)


def tokenizer(texts):
    import tokenizers
    import transformers

    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="<unknown>"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    special = ["<unknown>", "<pad>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    words.train_from_iterator(texts, tokenizers.trainers.WordLevelTrainer(special_tokens=special))
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unknown>", pad_token="<pad>", eos_token="<|end|>"
    )
    fast.chat_template = TEMPLATE
    return fast


def train(folder, config, cache):
    import datasets
    import transformers
    import trl

    data = datasets.load_dataset(folder, config, cache_dir=cache)["train"].select(range(8))
    texts = [str(value) for row in data for value in row.values()]
    words = tokenizer(texts)
    shape = transformers.GPT2Config(vocab_size=len(words), n_positions=2048, n_embd=32, n_layer=1, n_head=2)
    settings = trl.SFTConfig(
        output_dir=os.path.join(cache, config), max_steps=2, per_device_train_batch_size=2, max_length=2048,
        report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True, bf16=False, gradient_checkpointing=False,
    )  # fmt: skip
    trainer = trl.SFTTrainer(
        model=transformers.GPT2LMHeadModel(shape), args=settings, train_dataset=data, processing_class=words
    )
    result = trainer.train()
    if result.global_step != 2 or not result.training_loss > 0:
        sys.exit(f"check_training: {config}: {result.global_step} steps, loss {result.training_loss}")
    print(f"check_training: {config}: ok, 2 steps, loss {result.training_loss:.3f}", flush=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for package in ("torch", "transformers", "trl", "datasets"):
        try:
            __import__(package)
        except ImportError as error:
            if package in os.environ.get("RACGEN_REQUIRE", "").split(","):
                sys.exit(f"check_training: RACGEN_REQUIRE names {package}; {error}")
            print(f"check_training: skipped, {error}")
            return
    with tempfile.TemporaryDirectory() as cache:
        for config in ("prompt_completion", "messages"):
            train(sys.argv[1], config, cache)


if __name__ == "__main__":
    main()
