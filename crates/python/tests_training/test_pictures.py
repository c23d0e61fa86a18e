"""Promise: TRL trains a model that sees on items with pictures; lm-evaluation-harness shows each task's item with its own."""

import pytest
from required import need

need("torch")
need("torchvision")
datasets = need("datasets")
transformers = need("transformers")

import racgen  # noqa: E402
from tiny_seeing_model import tiny_seeing_model  # noqa: E402

FORMS = ("messages", "prompt_completion")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("pictured")
    ds = racgen.dataset("blocks", depth=1, items=60, seed=3, rules="without", tell="picture")
    ds.write(out / "data", style=FORMS, lm_eval=out / "tasks", quiet=True)
    rows = datasets.load_dataset(str(out / "data"), "messages", split="train")
    parts = (part for row in rows for message in row["messages"] for part in message["content"])
    tiny_seeing_model(out / "model", [part["text"] for part in parts if part["text"]])
    return out


@pytest.mark.parametrize("has_card", [True, False])
@pytest.mark.parametrize("form", FORMS)
def test_a_step_of_training_sees_the_pictures(folder, form, has_card, tmp_path):
    trl = need("trl")
    where = [str(folder / "data"), form] if has_card else [str(folder / "data" / form)]
    rows = datasets.load_dataset(*where, split="train")
    model = transformers.AutoModelForImageTextToText.from_pretrained(folder / "model")
    before = {name: weights.detach().clone() for name, weights in model.named_parameters()}
    trainer = trl.SFTTrainer(
        model=model, processing_class=transformers.AutoProcessor.from_pretrained(folder / "model"), train_dataset=rows,
        args=trl.SFTConfig(
            output_dir=str(tmp_path), max_steps=1, per_device_train_batch_size=2, max_length=None, learning_rate=1e-2,
            report_to=[], use_cpu=True, bf16=False, save_strategy="no", disable_tqdm=True,
        ),
    )  # fmt: skip
    assert next(iter(trainer.get_train_dataloader()))["pixel_values"].shape[0] == 2
    assert trainer.train().global_step == 1
    # What sees learns too, so the pictures reached the loss.
    moved = [name for name, weights in model.named_parameters() if not weights.equal(before[name])]
    assert any("vision" in name for name in moved)


@pytest.mark.parametrize("group", ["racgen", "racgen_cot"])
def test_tasks_show_each_item_its_picture(folder, group):
    harness = need("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    seen = []

    class Knows(LM):
        """Answers every other item rightly, whatever its picture."""

        MULTIMODAL = True

        def loglikelihood(self, requests):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

        def generate_until(self, requests):
            said = []
            for request in requests:
                prompt, _, more = request.args
                assert [picture.size for picture in more["visual"]] == [(512, 512)]
                assert prompt.count("<image>") == 1
                seen.append(more["visual"][0])
                said.append(f" Answer: {request.doc['answer']}" if len(seen) % 2 else " I cannot say.")
            return said

    tasks = TaskManager(include_path=str(folder / "tasks"), include_defaults=False)
    found = harness.simple_evaluate(
        model=Knows(), tasks=[group], task_manager=tasks, bootstrap_iters=0, log_samples=False
    )
    right = found["results"][group]["exact_match,final-answer"]
    assert right == pytest.approx((len(seen) + 1) // 2 / len(seen)) and len(seen) > 5
