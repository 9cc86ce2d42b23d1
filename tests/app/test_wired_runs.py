"""The default team over a model server on loopback: it ends with a report whatever the server is, and keeps no key."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.scripted.process import Served, served
from bench.scripted.script import WireLine, WireScript
from moot.models.port import Profile

KEY = "sk-scripted-0123456789"
WEAK = Profile(tools="none", json_mode=False, streaming=False, stream_usage=False)
pytestmark = [pytest.mark.loopback, pytest.mark.slow]


def research(server: Served, home: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """One run of the default team by hand, with a model named at length."""
    (home / "docs").mkdir(parents=True)
    (home / "docs" / "eiffel.md").write_text("The Eiffel Tower in Paris is 330 m tall.\n", encoding="utf-8")
    name = json.dumps({"model": "compatible:m", "base_url": server.base_url, "api_key_env": "MY_KEY"})
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
    environ |= {"MOOT_HOME": str(home), "MOOT_MODELS_FAST": name, "MOOT_MODELS_STRONG": name, "MY_KEY": KEY}
    command = [
        sys.executable, "-m", "moot.cli.main", "research", "How tall is the Eiffel Tower?",
        "--docs", str(home / "docs"), "--yes", *flags,
    ]  # fmt: skip
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=100, check=False)


def keeps_no_key(home: Path) -> bool:
    return not any(KEY.encode() in path.read_bytes() for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "script",
    [
        WireScript(lines=(WireLine(text="I know it by heart.", quirk="usage_absent", times=None),), profile=WEAK),
        WireScript(lines=(WireLine(quirk="bad_key", times=None),)),
        WireScript(lines=(WireLine(quirk="bad_request", times=None),)),
    ],
    ids=["can nearly nothing", "refuses the key", "fails every call"],
)
def test_the_run_ends_with_a_report_and_the_key_is_kept_nowhere(script: WireScript, tmp_path: Path) -> None:
    with served(script) as server:
        done = research(server, tmp_path / "home")
        asked = server.counts()["calls"]
    assert done.returncode == 0, done.stderr
    assert "# How tall is the Eiffel Tower?" in done.stdout
    assert "model fast compatible:m · strong compatible:m" in done.stderr
    assert asked != 0
    assert KEY not in done.stdout + done.stderr
    assert keeps_no_key(tmp_path / "home")


def test_money_cannot_be_limited_where_a_price_is_not_known(tmp_path: Path) -> None:
    with served(WireScript(lines=(WireLine(text="x", times=None),))) as server:
        done = research(server, tmp_path / "home", "--max-usd", "1")
        assert server.counts()["calls"] == 0
    assert done.returncode == 2
    assert "the price of compatible:m is not known" in done.stderr
