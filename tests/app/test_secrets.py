"""A key that the server echoes, in its errors and in its replies, is found nowhere: not in the house, not in print."""

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.scripted.process import served
from bench.scripted.script import WireLine, WireScript
from moot.app.secrets import secrets_in
from moot.models.chosen import named
from moot.models.named import Named
from moot.text.marks import mark_of
from moot.text.redact import COVER
from moot.values.errors import SettingWrong

KEY, OTHER = "sk-echoed-0123456789", "sk-other-9876543210"
ADDRESS = "docs://towers/eiffel.md"
FACT = "The Eiffel Tower in Paris is 330 m tall."
ECHO = {"error": {"message": f"Incorrect key {KEY}. Authorization: Bearer {KEY}", "param": f"x?key={KEY}"}}


def script() -> WireScript:
    """What a server says that puts the key wherever it can."""
    step = {"title": f"Height {KEY}", "description": f"Find {KEY}", "need_search": True, "step_type": "research"}
    mine = {"role": "researcher", "reasoning": f"I was given {KEY}."}
    lines = [
        {"role": "coordinator", "status": 500, "retry_after": 0, "body": ECHO},
        {"role": "coordinator", "value": {"how": "hand_off", "research_topic": f"{KEY}?", "locale": "en-US"}},
        {"role": "planner", "value": {"title": f"Plan {KEY}", "steps": [step]}},
        {**mine, "turn": 1, "calls": [{"name": "search", "args": {"query": f"Eiffel {KEY}"}}]},
        {**mine, "turn": 2, "calls": [{"name": "read_page", "args": {"address": f"https://h/?key={KEY}"}}]},
        {**mine, "turn": 3, "calls": [{"name": "read_page", "args": {"address": ADDRESS}}]},
        {**mine, "turn": 4, "value": {"restated": KEY, "claims": [{"text": FACT, "marks": [f"{mark_of(ADDRESS)}.1"]}]}},
        {"role": "reporter", "text": f"# Tower {KEY}\n\n## Findings\n\n> “{FACT}” [{mark_of(ADDRESS)}.1]\n\n{KEY}\n"},
        {"status": 400, "body": ECHO, "times": None},
    ]
    return WireScript(lines=tuple(WireLine.model_validate(line) for line in lines), lenient=True)


def moot(home: Path, base_url: str, *words: str) -> subprocess.CompletedProcess[str]:
    """One command of its own process, with two keys in its environment."""
    name = json.dumps({"model": "compatible:m", "base_url": base_url, "api_key_env": "MY_KEY"})
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
    environ |= {"MOOT_HOME": str(home), "MOOT_MODELS_FAST": name, "MY_KEY": KEY, "OPENAI_API_KEY": OTHER}
    command = [sys.executable, "-m", "moot.cli.main", *words]
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=100, check=False)


def kept(home: Path) -> Iterator[bytes]:
    """Every byte that a data folder holds, and what is compressed there."""
    for path in (path for path in home.rglob("*") if path.is_file()):
        body = path.read_bytes()
        yield body
        for at in (at for at in range(len(body) - 1) if body[at : at + 2] in (b"\x78\x9c", b"\x78\xda")):
            yield inflated(body[at:])


def inflated(body: bytes) -> bytes:
    """What a compressed body holds, as far as it can be read."""
    try:
        return zlib.decompressobj().decompress(body)
    except zlib.error:
        return b""


@pytest.mark.loopback
@pytest.mark.slow
def test_a_key_that_the_server_echoes_is_found_nowhere_and_the_run_replays_alike(tmp_path: Path) -> None:
    docs, home = tmp_path / "towers", tmp_path / "home"
    docs.mkdir()
    (docs / "eiffel.md").write_text(FACT, encoding="utf-8")
    with served(script()) as server:
        question = f"How tall is the Eiffel Tower, {OTHER}?"
        done = moot(home, server.base_url, "research", question, "--docs", str(docs), "--yes", "--no-background", "-v")
        told = [
            moot(home, server.base_url, *words)
            for words in (
                ("show", "last", "--events"), ("show", "last", "--json"), ("show", "last", "--plan", "--report"),
                ("export", "last", "--journal"), ("replay", "last"), ("fork", "last", "--at", KEY),
            )
        ]  # fmt: skip
    assert done.returncode in (0, 4), done.stderr
    assert f"# Tower {COVER}" in done.stdout
    assert [one.returncode for one in told] == [0, 0, 0, 0, 0, 2], [one.stderr for one in told]
    printed = "".join(one.stdout + one.stderr for one in (done, *told))
    assert (KEY in printed, OTHER in printed, COVER in printed) == (False, False, True)
    everything = [*kept(home)]
    assert not any(secret.encode() in body for secret in (KEY, OTHER) for body in everything)
    assert any(COVER.encode() in body for body in everything)


def test_secrets_are_the_keys_of_providers_and_of_names_that_say_their_own() -> None:
    environ = {"OPENAI_API_KEY": f" {OTHER}\n", "MINE": KEY, "THEIRS": "sk-fallback-0123", "PATH": "/usr/bin:/bin"}
    chain = Named(model="compatible:m", api_key_env="MINE", fallback=(Named(model="a:b", api_key_env="THEIRS"),))
    found = secrets_in(environ, {"fast": chain})
    assert found.covered(f"{OTHER} {KEY} sk-fallback-0123 /usr/bin:/bin") == f"{COVER} {COVER} {COVER} /usr/bin:/bin"
    assert secrets_in(environ, {}).covered(KEY) == KEY


def test_keys_of_search_engines_are_secrets_too() -> None:
    environ = {"TAVILY_API_KEY": "tvly-0123456789", "NCBI_API_KEY": "ncbi-0123456789", "OTHER": "other-0123456789"}
    secrets = secrets_in(environ, {})
    assert secrets.covered("tvly-0123456789 ncbi-0123456789 other-0123456789") == f"{COVER} {COVER} other-0123456789"


@pytest.mark.parametrize("base_url", ["https://me:pass@h/v1", "https://h/v1?key=abc", "http://me@h/v1"])
def test_an_address_that_holds_a_key_is_refused_and_not_repeated(base_url: str) -> None:
    with pytest.raises(SettingWrong, match="holds a password or a query") as wrong:
        named({"fast": Named(model="compatible:m", base_url=base_url)})
    assert base_url not in wrong.value.message
