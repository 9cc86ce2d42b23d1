"""`moot eval claims` as a person and a program see it."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.test_main import told

RIGHT = {
    "id": "a", "lang": "en", "kind": "bound", "claim": "Fewer than 40 copies survive [Sf00d.9].",
    "passages": {"Sf00d.9": "Only 37 copies survive."}, "status": "verified",
}  # fmt: skip


def written(path: Path, *examples: Mapping[str, object]) -> str:
    path.write_text("\n".join(json.dumps(example) for example in examples), encoding="utf-8")
    return str(path)


def test_the_first_line_tells_how_many_are_right_and_the_exit_code_whether_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    file = written(tmp_path / "right.jsonl", RIGHT)
    code, out, _ = told("eval", "claims", file, capsys=capsys)
    assert (code, out.splitlines()[0]) == (0, "1 of 1 right · false verified: 0")
    file = written(tmp_path / "wrong.jsonl", RIGHT, {**RIGHT, "id": "b", "status": "unsupported"})
    code, out, _ = told("eval", "claims", file, capsys=capsys)
    assert (code, out.splitlines()[0]) == (6, "1 of 2 right · false verified: 1")
    assert "falsely verified: 1\n  b  Fewer than 40" in out


def test_changed_figures_that_stay_verified_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    code, out, _ = told("eval", "claims", written(tmp_path / "a.jsonl", RIGHT), "--mutate", capsys=capsys)
    assert code == 0
    assert out.startswith("1 of 2 changed claims stay verified")


def test_a_program_gets_a_line_an_example_and_the_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told("eval", "claims", written(tmp_path / "a.jsonl", RIGHT), "--json", capsys=capsys)
    first, counts = map(json.loads, out.splitlines())
    assert (first["id"], first["status"], first["right"]) == ("a", "verified", True)
    assert (counts["right"], counts["examples"], counts["false_verified"]) == (1, 1, 0)
