"""A model that sees, of two layers for each sense and random weights, with its processor; nothing is downloaded."""

from collections.abc import Iterable
from pathlib import Path

#: Pictures become squares of this side, of 16 patches.
SIDE, PATCH = 64, 16
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|> "
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>\n{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    " <|end|> {% endfor %}{% if add_generation_prompt %}<|assistant|> {% endif %}"
)


def tiny_seeing_model(folder: Path, texts: Iterable[str]) -> Path:
    """Writes the model and its processor, whose words are those of the texts, into a folder."""
    import tokenizers
    import transformers

    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="<unknown>"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    special = ["<unknown>", "<pad>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<image>"]
    words.train_from_iterator(texts, tokenizers.trainers.WordLevelTrainer(special_tokens=special))
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unknown>", pad_token="<pad>", eos_token="<|end|>",
        additional_special_tokens=["<image>"],
    )  # fmt: skip
    sight = transformers.CLIPImageProcessor(
        size={"shortest_edge": SIDE}, crop_size={"height": SIDE, "width": SIDE}
    )
    processor = transformers.LlavaProcessor(
        image_processor=sight, tokenizer=fast, patch_size=PATCH, vision_feature_select_strategy="default",
        chat_template=TEMPLATE, image_token="<image>", num_additional_image_tokens=1,
    )  # fmt: skip
    sizes = dict(hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2)
    vision = transformers.CLIPVisionConfig(**sizes, image_size=SIDE, patch_size=PATCH, projection_dim=32)
    end = fast.eos_token_id
    text = transformers.LlamaConfig(
        **sizes, vocab_size=len(fast), max_position_embeddings=4096,
        pad_token_id=fast.pad_token_id, eos_token_id=end, bos_token_id=end,
    )  # fmt: skip
    shape = transformers.LlavaConfig(
        vision_config=vision, text_config=text, image_token_index=fast.convert_tokens_to_ids("<image>")
    )
    transformers.LlavaForConditionalGeneration(shape).save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
