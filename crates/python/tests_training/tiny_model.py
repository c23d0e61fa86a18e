"""A chat model of one layer and random weights, so that trainers run in seconds and nothing is downloaded."""

from pathlib import Path

import racgen

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|> {{ message['content'] }} <|end|> {% endfor %}"
    "{% if add_generation_prompt %}<|assistant|> {% endif %}"
)


def tiny_model(folder: Path) -> Path:
    """Writes the model and its tokenizer into a folder."""
    import tokenizers
    import transformers

    rows = racgen.dataset("blocks", depth=(1, 2), items=100)
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="<unknown>"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    special = ["<unknown>", "<pad>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    texts = [f"{row['context']} {row['question']} {row['answer']}" for row in rows]
    words.train_from_iterator(texts, tokenizers.trainers.WordLevelTrainer(special_tokens=special))
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unknown>", pad_token="<pad>", eos_token="<|end|>"
    )
    fast.chat_template = TEMPLATE
    shape = transformers.GPT2Config(
        vocab_size=len(fast), n_positions=4096, n_embd=32, n_layer=1, n_head=2,
        eos_token_id=fast.eos_token_id, pad_token_id=fast.pad_token_id, bos_token_id=fast.eos_token_id,
    )  # fmt: skip
    transformers.GPT2LMHeadModel(shape).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder
