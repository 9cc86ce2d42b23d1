"""Runs the research team with a tiny real model, in English and in Chinese, by the command line: python -m bench.live.

Such a model writes junk. What is judged: each run ends with a report, or a named error, within its limits, and what
the model failed at was done by understudies, and says so. What it said is kept in .live/replies.jsonl.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import orjson
from pydantic import JsonValue

from bench.live.installed import FOLDER, installed
from bench.live.recorded import recording
from bench.live.serve import WINDOW

QUESTIONS = ("How tall is the Eiffel Tower?", "埃菲尔铁塔有多高？")
CALLS, TOKENS, SECONDS = 24, 120_000, 600
_GRACE_S = 60
"""Seconds that understudies, reading and writing may take beside."""
_DOCUMENTS = {
    "tower.md": "# The Eiffel Tower\n\nThe Eiffel Tower in Paris is 330 m tall. It was built in 1889.\n",
    "tieta.md": "# 埃菲尔铁塔\n\n埃菲尔铁塔位于巴黎，高 330 米，建于 1889 年。\n",
}
_CODES = (0, 1, 2, 4)


@contextmanager
def served() -> Iterator[str]:
    """The model's server in a process of its own, ended after the block."""
    model = installed()
    command = [sys.executable, "-m", "bench.live.serve", str(FOLDER), str(model)]
    environ = {**os.environ, "GOMP_SPINCOUNT": "1000"}  # its threads would spin on cores that others need
    with (
        (FOLDER / "server.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command, env=environ, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        ) as serving,
    ):
        assert serving.stdout is not None
        try:
            yield next(line.strip() for line in serving.stdout if line.startswith("http"))
        finally:
            serving.terminate()


async def main() -> int:
    """How many runs ended otherwise than they may."""
    kept = FOLDER / "replies.jsonl"
    with served() as address, tempfile.TemporaryDirectory(prefix="moot-live-") as folder:
        kept.unlink(missing_ok=True)
        documents = Path(folder) / "docs"
        documents.mkdir()
        for name, text in _DOCUMENTS.items():
            (documents / name).write_text(text, encoding="utf-8")
        wrong = 0
        async with recording(address, kept) as (recorder, base_url):
            for question in QUESTIONS:
                before = recorder.calls
                code, events, errors = await _run(question, documents, base_url=f"{base_url}/v1")
                faults = list(_faults(code, events, errors))
                _tell(question, code, events, calls=recorder.calls - before)
                print("\n".join(f"  WRONG {fault}" for fault in faults) or "  as it may be", flush=True)
                wrong += bool(faults)
    print(f"what the model said is in {kept}")
    return wrong


async def _run(question: str, documents: Path, *, base_url: str) -> tuple[int, Sequence[Mapping[str, JsonValue]], str]:
    """One run by the command line: its exit code, its events, and what it said on the error stream."""
    model = json.dumps({
        "model": "compatible:smollm2", "base_url": base_url, "max_output_tokens": 200, "timeout_s": 180,
        "rate": {"concurrent": 1},
    })  # fmt: skip
    home = documents.parent / "home"
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(
        f'[models.profiles."compatible:smollm2"]\nwindow = {WINDOW}\n', encoding="utf-8"
    )
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
    environ |= {"MOOT_HOME": str(home), "MOOT_MODELS_FAST": model, "MOOT_MODELS_STRONG": model}
    limits = ["--max-calls", str(CALLS), "--max-tokens", str(TOKENS), "--max-seconds", str(SECONDS)]
    steps = ["--max-steps", "1", "--max-rounds", "1", "--no-background", "--parallel", "1"]
    command = [
        "-m",
        "moot.cli.main",
        "research",
        question,
        "--docs",
        str(documents),
        "--yes",
        "--json",
        *limits,
        *steps,
    ]
    running = await asyncio.create_subprocess_exec(
        sys.executable, *command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        async with asyncio.timeout(SECONDS + _GRACE_S):
            out, errors = await running.communicate()
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()
    events = [orjson.loads(line) for line in out.splitlines() if line.startswith(b"{")]
    return running.returncode or 0, events, errors.decode("utf-8", "replace")


def _faults(code: int, events: Sequence[Mapping[str, JsonValue]], errors: str) -> Iterator[str]:
    """What of a run is not as it may be."""
    if code not in _CODES or "Traceback" in errors:
        yield f"it ended with {code}: {errors[-600:]}"
    ended = _bodies(events, "ended")
    if not ended:
        yield f"it did not end: {errors[-600:]} {_untyped(events)}"
    elif ended[-1]["status"] == "done" and not _bodies(events, "reported"):
        yield "it is done without a report"
    elif ended[-1]["status"] != "done" and not ended[-1]["reason"]:
        yield "it names no reason"
    said = _bodies(events, "said")
    if len(said) > CALLS:
        yield f"{len(said)} replies of at most {CALLS} calls"
    for agent in _bodies(events, "agent_ended"):
        if agent["end"] in ("error", "stuck") and agent["by"] != "understudy" and not agent["why"]:
            yield f"{agent['end']} and neither an understudy nor a reason"


def _tell(question: str, code: int, events: Sequence[Mapping[str, JsonValue]], *, calls: int) -> None:
    """Prints what came."""
    print(f"\n{question}\n  exit {code}, {calls} requests, {len(_bodies(events, 'said'))} replies")
    for said in _bodies(events, "said"):
        print(f"  {said['role']} said {str(said['text'])[:100]!r} {said['notes'] or ''}")
    for agent in _bodies(events, "agent_ended"):
        print(f"  an agent ended: {agent['end']}, by {agent['by']}, {agent['why']} {agent['notes'] or ''}"[:240])
    for ended in _bodies(events, "ended"):
        print(f"  {ended['status']} {ended['ending']} {ended['reason']} {ended['audit']}"[:240])


def _untyped(events: Sequence[Mapping[str, JsonValue]]) -> str:
    """What was printed beside events: a named error."""
    return str([event for event in events if "type" not in event])[:600]


def _bodies(events: Sequence[Mapping[str, JsonValue]], kind: str) -> list[Mapping[str, JsonValue]]:
    """The bodies of the events of one kind."""
    bodies = [event["body"] for event in events if event.get("type") == kind]
    return [body for body in bodies if isinstance(body, dict)]


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
