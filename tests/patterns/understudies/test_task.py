"""What plain code makes of a task: lists become plans, blocks are run, files described; nothing is invented."""

from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from moot.agents.agent import Gate
from moot.patterns.understudies.task import executor, listed_steps, planner, title_of
from moot.text.marks import mark_of
from moot.toolkit.result import ToolResult
from moot.values.errors import ToolFailed

PAGE = "docs://x/a"
MARK = mark_of(PAGE)


class Tools:
    """A gate with canned answers. Owned by one test."""

    def __init__(self, answers: Mapping[str, ToolResult | ToolFailed]) -> None:
        self.called: list[tuple[str, Mapping[str, object]]] = []
        self._answers = answers

    def has(self, name: str) -> bool:
        return name in self._answers

    async def call(self, name: str, **arguments: object) -> ToolResult:
        self.called.append((name, arguments))
        if name not in self._answers:
            raise ToolFailed(f"No tool named {name!r} is granted here.")
        answer = self._answers[name]
        if isinstance(answer, ToolFailed):
            raise answer
        return answer


def given(step: str, request: str = "", workspace: Sequence[str] = ()) -> Mapping[str, object]:
    return {"step": step, "request": request or step, "locale": "en-US", "workspace": list(workspace)}


async def planned(request: str, *, has_model: bool = False) -> tuple[str, ...]:
    gate = cast("Gate", Tools({}))
    return (await planner(gate, {"request": request, "has_model": has_model})).steps


@pytest.mark.parametrize(
    ("request_", "steps"),
    [
        ("Do this:\n1. book\n2. pack", ("book", "pack")),
        ("- book\n* pack", ("book", "pack")),
        ("一、订票\n二、收拾", ("订票", "收拾")),
        ("Book it, then pack, and then fly", ("Book it", "pack", "fly")),
        ("先订票，然后收拾，接着出发", ("先订票", "收拾", "出发")),
        ("Book it", ()),
    ],
    ids=["numbers", "bullets", "chinese_numbers", "then", "chinese_then", "no_list"],
)
def test_the_requests_own_list_is_its_plan(request_: str, steps: tuple[str, ...]) -> None:
    assert listed_steps(request_) == steps


async def test_without_a_list_the_request_is_the_one_step_or_the_usual_three_after_a_model() -> None:
    assert await planned("Refactor it") == ("Refactor it",)
    assert await planned("Refactor it", has_model=True) == ("Analyze request", "Execute task", "Verify results")
    assert await planned("重构它", has_model=True) == ("分析请求", "执行任务", "核对结果")


async def test_small_talk_is_answered() -> None:
    owed = await planner(cast("Gate", Tools({})), {"request": "hello", "has_model": False})
    assert owed.answer.startswith("Hello!")
    assert owed.steps == ()


def test_a_title_is_cut_at_fifty_characters() -> None:
    assert title_of("x" * 51) == f"Plan for: {'x' * 50}..."
    assert title_of("short") == "Plan for: short"
    assert title_of("整理这些笔记") == "计划：整理这些笔记"


async def test_a_fenced_shell_block_is_run_as_it_stands_and_its_exit_counts() -> None:
    tools = Tools({"bash": ToolResult(text="oops\n[exit 1] cwd: /workspace")})
    owed = await executor(cast("Gate", tools), given("Run it:\n```bash\nmake test\n```\n"))
    assert tools.called == [("bash", {"command": "make test\n"})]
    assert not owed.done
    assert owed.problem == "[exit 1] cwd: /workspace"


async def test_a_traceback_is_not_done() -> None:
    tools = Tools({"python": ToolResult(text="Traceback (most recent call last):\n  …\nZeroDivisionError: division")})
    owed = await executor(cast("Gate", tools), given("```python\n1/0\n```"))
    assert not owed.done


async def test_a_csv_is_described_by_its_columns_rows_and_figures() -> None:
    rows = "city,people\nA,10\nB,20\nC,33\n"
    shown = "\n".join(f"{n:6d}\t{line}" for n, line in enumerate(rows.splitlines(), 1))
    tools = Tools({"read_file": ToolResult(text=shown)})
    owed = await executor(cast("Gate", tools), given("Look at people.csv", workspace=["people.csv"]))
    assert owed.done
    assert "3 rows, columns: city, people" in owed.result
    assert "people: min 10, mean 21, max 33" in owed.result


async def test_a_file_that_is_not_there_is_not_read() -> None:
    tools = Tools({"read_file": ToolResult(text="")})
    owed = await executor(cast("Gate", tools), given("Look at people.csv"))
    assert tools.called == []
    assert owed.problem.startswith("needs_model: ")


async def test_with_search_the_passages_that_share_most_words_are_quoted_with_their_marks() -> None:
    page = f"[{MARK}.1] Nothing of that kind.\n[{MARK}.2] The lighthouse is 40 m high."
    tools = Tools({"search": ToolResult(text="", leads=(PAGE,)), "read_page": ToolResult(text=page)})
    owed = await executor(cast("Gate", tools), given("How high is the lighthouse"))
    assert owed.done
    assert owed.result == f"- The lighthouse is 40 m high. [{MARK}.2]"


async def test_a_search_that_fails_leaves_what_is_needed_and_why() -> None:
    tools = Tools({"search": ToolFailed("search_unavailable: told: timeout")})
    owed = await executor(cast("Gate", tools), given("Find out who built it"))
    assert owed.problem.startswith("needs_model: ")
    assert owed.problem.endswith("(search_unavailable: told: timeout)")
