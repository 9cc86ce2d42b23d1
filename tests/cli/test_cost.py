"""What a run cost is told from what it kept; a money limit ends it honestly, with its report."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from moot.app.costs import CallCost, Costs
from moot.cli.main import run
from moot.values.usage import Usage
from moot.values.value import Key
from tests.cli.lighthouses import CALLS, QUESTION, calls_of, documents, script

PRICE = "scripted:*=100/200"
Told = Callable[..., tuple[int, str, str]]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Told:
    """`told("cost", …)`: runs a command on a fresh home; gives exit code, stdout and stderr."""
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("MOOT_HOME", str(tmp_path / "home"))

    def run_and_read(*words: str) -> tuple[int, str, str]:
        code = run(words)
        return code, *capsys.readouterr()

    return run_and_read


def research(told: Told, folder: Path, *flags: str) -> tuple[int, str, str]:
    path = script(folder)
    return told(
        "research", QUESTION, "--docs", str(documents(folder)), "--yes", "--max-rounds", "1",
        "--model", f"fast=scripted:{path}", "--price", PRICE, *flags,
    )  # fmt: skip


def cost_of(told: Told, name: str) -> dict[str, JsonValue]:
    code, out, err = told("cost", name, "--json")
    assert code == 0, err
    read: dict[str, JsonValue] = json.loads(out)
    return read


def number(part: JsonValue, name: str) -> int:
    value = part[name] if isinstance(part, dict) else None
    assert isinstance(value, int)
    return value


def test_a_run_tells_what_it_cost_by_role_model_node_and_attempts(told: Told, tmp_path: Path) -> None:
    assert research(told, tmp_path, "--max-usd", "100")[0] == 0
    cost = cost_of(told, "last")
    calls = cost["calls"]
    assert isinstance(calls, list)
    assert len(calls) == number(cost["paid"], "calls") == CALLS
    dear = sum(number(call, "input") * 100 + number(call, "output") * 200 for call in calls)
    assert number(cost["paid"], "usd_micro") == dear > 0
    for group in ("by_role", "by_model", "by_node", "by_attempts"):
        sums = cost[group]
        assert isinstance(sums, list)
        assert sum(number(one, "usd_micro") for one in sums) == dear
    by_role = {one["name"] for one in json.loads(json.dumps(cost["by_role"]))}
    assert by_role == {"coordinator", "planner", "researcher", "reporter"}
    _, out, _ = told("cost", "last")
    assert re.search(r"researcher .* 9 .*\$\d\.\d{4}", out)
    assert f"${dear / 1_000_000:.4f}" in out.splitlines()[-1]


def test_a_fork_tells_what_it_paid_itself_and_what_it_took_over(told: Told, tmp_path: Path) -> None:
    assert research(told, tmp_path)[0] == 0
    before = cost_of(told, "last")
    assert isinstance(before["calls"], list)
    last = before["calls"][-1]
    assert isinstance(last, dict)
    assert told("fork", str(before["run"]), "--at", str(last["key"]))[0] == 0
    after = cost_of(told, "last")
    assert (number(after["paid"], "calls"), number(after["carried"], "calls")) == (1, CALLS - 1)
    assert number(after["carried"], "usd_micro") + number(last, "usd_micro") == number(before["paid"], "usd_micro")
    assert f"taken over from {before['run']}, paid there" in told("cost", "last")[1]
    assert cost_of(told, str(before["run"])) == before


def test_a_money_limit_ends_a_run_with_its_report_and_within_it(told: Told, tmp_path: Path) -> None:
    code, out, err = research(told, tmp_path, "--max-usd", "1.5")
    assert code == 4, err
    assert f"# {QUESTION}" in out or "# Lighthouses" in out
    assert 0 < len(calls_of(tmp_path)) < CALLS
    assert number(cost_of(told, "last")["paid"], "usd_micro") <= 1_500_000
    assert "dollars would be in use" in told("show", "last", "--events")[1]


def test_a_price_that_nobody_knew_is_unknown_and_never_0() -> None:
    def call(usage: Usage) -> CallCost:
        return CallCost(
            key=Key("a#1/model#1"), node="a", role="planner", model="compatible:m", state="kept", attempts=1,
            usage=usage, carried=False,
        )  # fmt: skip

    costs = Costs(calls=(call(Usage(input=9, usd_micro=5)), call(Usage(input=9)), call(Usage(attempts=1))))
    assert (costs.paid.usd_micro, costs.paid.unknown) == (5, 1)


def test_a_run_without_a_model_cost_nothing(told: Told, tmp_path: Path) -> None:
    told("research", QUESTION, "--docs", str(documents(tmp_path)), "--yes", "--no-model")
    assert told("cost", "last") == (0, "", "no model was asked\n")
