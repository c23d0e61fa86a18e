"""Promise: lines for NeMo Gym have its form, and the server rewards responses as racgen judges."""

import json
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

import racgen
from racgen import nemo_gym


def post(address: str, told) -> tuple[int, dict]:
    body = told if isinstance(told, bytes) else json.dumps(told).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def response(text: str) -> dict:
    """As the Responses API gives it, with reasoning before the message."""
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return {"id": "r", "object": "response", "output": [{"type": "reasoning", "summary": []}, message]}


@pytest.fixture(scope="module")
def address():
    serving = nemo_gym.server()
    thread = threading.Thread(target=serving.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{serving.server_address[1]}"
    serving.shutdown()
    thread.join()
    serving.server_close()


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    ds = racgen.dataset("blocks", depth=(1, 2), items=None, ask="prediction,plans", seed=3)
    file = nemo_gym.write_lines(ds, tmp_path_factory.mktemp("lines") / "train.jsonl", items=200)
    tasks = [json.loads(line) for line in file.read_text().splitlines()]
    assert [task["id"] for task in tasks] == [row["id"] for row in ds[:200]]
    return tasks


def test_lines_have_its_form(tasks):
    kinds = {task["answer_type"] for task in tasks}
    assert {"bool", "number", "plan"} <= kinds, kinds
    for task in tasks:
        system, user = task["responses_create_params"]["input"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert user["content"].endswith(task["question"])


def test_responses_are_rewarded(address, tasks):
    def text(task: dict) -> str:
        plain = task["answer_type"] in ("bool", "number")
        return f"Let me see. The final answer is: {task['answer']}" if plain else task["answer"]

    right = [{**task, "response": response(text(task))} for task in tasks]
    wrong = [{**task, "response": response("I do not know.")} for task in tasks]
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda task: post(f"{address}/verify", task), right + wrong))
    assert all(status == 200 for status, _ in told)
    assert [answer["reward"] for _, answer in told] == [1.0] * len(tasks) + [0.0] * len(tasks)
    # All that was sent comes back.
    assert {name: told[7][1][name] for name in right[7]} == right[7]


def test_what_is_no_task_is_told(address, tasks):
    assert post(f"{address}/seed_session", {}) == (200, {})
    status, told = post(f"{address}/verify", tasks[0])
    assert status == 422 and "has no `response`" in told["error"]
    status, told = post(f"{address}/verify", {"answer_type": "bool", "response": "yes"})
    assert status == 422 and "has no column" in told["error"]
    assert post(f"{address}/verify", b"{")[0] == post(f"{address}/verify", [1])[0] == 422
    assert post(f"{address}/judge", {})[0] == 404
    with urllib.request.urlopen(f"{address}/health", timeout=60) as answer:
        assert json.load(answer) == {"status": "ok"}


def test_it_is_a_program(tasks):
    words = [sys.executable, "-m", "racgen.nemo_gym", "--port", "0", "--partial"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        address = child.stdout.readline().strip()
        status, told = post(address, {**tasks[0], "response": tasks[0]["answer"]})
        child.send_signal(signal.SIGINT)
        assert (status, told["reward"]) == (200, 1.0) and child.wait(60) == 0
