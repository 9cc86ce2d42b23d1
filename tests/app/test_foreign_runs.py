"""The default team over other providers' wires, with native tool calls: it plans, searches, reads and reports."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.research import question, script, sentence, write_documents
from bench.scripted.process import served

pytestmark = [pytest.mark.loopback, pytest.mark.slow]
KEY = "sk-scripted-0123456789"


@pytest.mark.parametrize("model", ["anthropic:claude-haiku-5-5", "google_genai:gemini-2.5-flash", "ollama:qwen3:8b"])
def test_the_default_team_reports_what_it_read_over_another_providers_wire(model: str, tmp_path: Path) -> None:
    write_documents(tmp_path / "docs")
    said = script(str(tmp_path / "bodies")).model_copy(update={"latency_s": 0.0})
    with served(said) as server:
        name = json.dumps({"model": model, "base_url": server.address, "api_key_env": "MY_KEY"})
        environ = {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
        home = tmp_path / "home"
        environ |= {"MOOT_HOME": str(home), "MOOT_MODELS_FAST": name, "MOOT_MODELS_STRONG": name, "MY_KEY": KEY}
        command = [
            sys.executable, "-m", "moot.cli.main", "research", question(2), "--docs", str(tmp_path / "docs"), "--yes",
            "--max-rounds", "1", "--max-steps", "2",
        ]  # fmt: skip
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=100, check=False)
        counts = server.counts()
    assert done.returncode == 0, done.stderr
    assert counts["unexpected"] == [], "each request was read as the role's own"
    assert counts["calls"] == 9, "a hand-off, a plan, three turns for each of two steps, a report"
    assert all(sentence(n)[:-1] in done.stdout for n in (1, 2)), done.stdout
    assert "understudy" not in done.stdout
    assert KEY not in done.stdout + done.stderr
    assert not any(KEY.encode() in path.read_bytes() for path in home.rglob("*") if path.is_file())
    environ.pop("MY_KEY")
    replay = [sys.executable, "-m", "moot.cli.main", "replay", "last"]
    again = subprocess.run(replay, env=environ, capture_output=True, text=True, timeout=100, check=False)
    assert (again.returncode, "identical" in again.stdout) == (0, True), again.stderr
