"""What a person reads of a run: the layout of stderr, line by line, in both languages."""

from datetime import UTC, datetime

from moot.cli.console import Console
from moot.cli.narrate import Narrator
from moot.values.events import (
    AgentEnded,
    Background,
    Ended,
    Event,
    EventBody,
    NodeStarted,
    Planned,
    Reported,
    Reviewed,
    Routed,
    Started,
    StepEnded,
    ToolCalled,
    Warned,
    Wave,
)
from moot.values.plans import Plan, Step
from moot.values.usage import Limits, Spent
from moot.values.value import Key, RunId


def told(*bodies: EventBody, zh: bool = False, verbose: bool = False) -> list[str]:
    narrator = Narrator(Console(zh=zh), verbose=verbose)
    lines = []
    for n, body in enumerate(bodies, 1):
        event = Event(
            run=RunId("k3f9q2m8xz"), seq=n, key=Key(f"plan#1/!{body.type}#{n}"), at=datetime(2026, 1, 1, tzinfo=UTC),
            type=body.type, body=body.model_dump(mode="json"),
        )  # fmt: skip
        lines += list(narrator.lines(event))
    return lines


STARTED = Started(
    team="research", question="What does the with statement do?", sources=("docs python (79 documents)",), web=False,
    model="", limits=Limits(), epoch=1,
)  # fmt: skip
TITLE = "What does the with statement do?"
PLAN = Plan(
    title="T", steps=(Step(id="1.1", title=TITLE, description="Quote it.", need_search=True, step_type="research"),)
)
DONE = StepEnded(
    id="1.1", status="done", claims=5, sources=3, spent=Spent(), seconds=0.41, by="understudy"
)  # fmt: skip


def test_a_run_is_told_in_the_layout_of_the_specification() -> None:
    assert told(
        STARTED,
        NodeStarted(node="coordinate", visit=1),
        Routed(how="hand off", locale="en-US", topic=TITLE, by="understudy"),
        Background(found=5, read=2, failed=0),
        Planned(round=1, rounds=2, plan=PLAN, repairs=("4 steps cut",), by="model"),
        Wave(round=1, n=1, steps=("1.1",)),
        DONE,
        Reported(title="T", style="academic", citations=5, sha256="0", audit="Audit: 5 of 5", by="model"),
        Ended(status="finished", reason="report", ending="done"),
    ) == [
        "moot research · run k3f9q2m8xz · docs python (79 documents) · web off · "
        "no model: understudies play (moot doctor)",
        "route       hand off · en-US · What does the with statement do?",
        "background  5 found · 2 read",
        "plan 1/2    1 step",
        "  1.1 research  What does the with statement do?          search",
        "                Quote it. · needs none",
        "  changed by the program: 4 steps cut",
        "wave 1      1.1",
        "  1.1 done    5 claims · 3 sources · 0.4 s · understudy",
        "report      academic · 5 citations",
        "audit       5 of 5",
    ]


def test_a_chinese_reader_gets_the_same_in_chinese_and_in_line() -> None:
    assert told(Background(found=1, read=1, failed=1), DONE, zh=True) == [
        "背景        找到 1 条 · 阅读 1 篇 · 失败 1 篇",
        "  1.1 完成    5 条陈述 · 3 个来源 · 0.4 秒 · 替补",
    ]


def test_a_failed_step_says_why_and_a_skipped_one_counts_nothing() -> None:
    failed = DONE.model_copy(update={"status": "failed", "reason": "tools_failed", "claims": 1, "by": "model"})
    skipped = DONE.model_copy(update={"status": "skipped", "reason": "needs", "by": "model"})
    assert told(failed, skipped) == [
        "  1.1 failed  tools_failed · 1 claim · 3 sources · 0.4 s",
        "  1.1 skipped needs",
    ]


def test_an_ending_that_is_not_done_is_told_with_its_reason() -> None:
    assert told(Ended(status="finished", reason="report", ending="nothing_found")) == ["ended       nothing found"]
    assert told(Ended(status="budget_spent", reason="tokens", ending="partial")) == [
        "ended       budget spent · partial · tokens"
    ]
    assert told(Ended(status="cancelled", reason="by_person", ending="cancelled")) == [
        "ended       cancelled · by_person"
    ]


def test_the_head_is_told_once_though_a_run_was_started_thrice() -> None:
    assert len(told(STARTED, STARTED, STARTED.model_copy(update={"epoch": 3}))) == 1


def test_a_model_and_a_web_that_are_there_are_named() -> None:
    body = STARTED.model_copy(
        update={"model": "fast scripted:a", "web": True, "engines": ("brave", "arxiv"), "sources": ()}
    )
    assert told(body) == ["moot research · run k3f9q2m8xz · web on (brave, arxiv) · model fast scripted:a"]


def test_tool_calls_are_told_only_when_asked_for() -> None:
    call = ToolCalled(name="search", arguments={"query": "with"})
    assert told(call) == []
    assert told(call, verbose=True) == ['    plan#1 search {"query": "with"}']


def test_a_notice_and_a_changed_plan_are_told() -> None:
    assert told(Warned(code="x", message="the model failed"), Reviewed(decision="edit", diff="+ cost")) == [
        "notice      the model failed",
        "review      changed",
        "    + cost",
    ]


def test_a_round_without_steps_says_that_enough_was_found() -> None:
    plan = Plan(has_enough_context=True)
    assert told(Planned(round=2, rounds=2, plan=plan, repairs=(), by="understudy")) == [
        "plan 2/2    what was found is enough"
    ]


def test_a_round_without_steps_that_is_not_enough_does_not_say_that_it_is() -> None:
    plan = Plan(has_enough_context=False)
    assert told(Planned(round=2, rounds=2, plan=plan, repairs=(), by="understudy")) == ["plan 2/2    no further step"]


def test_a_chinese_reader_is_told_of_the_documents_in_chinese() -> None:
    (line,) = told(STARTED, zh=True)
    assert " · 文档 python（79 篇） · 不联网 · " in line


def test_a_plan_of_several_kinds_of_steps_names_what_each_needs() -> None:
    steps = (
        Step(id="1.1", title="Heights", need_search=False, step_type="research"),
        Step(id="1.2", title="Divide", step_type="processing", need_search=False),
        Step(
            id="1.3", title="Again", step_type="research", need_search=True, needs=(1,), retry_of="0.1", note="slowly"
        ),
    )
    assert told(Planned(round=2, rounds=2, plan=Plan(steps=steps), repairs=(), by="understudy")) == [
        "plan 2/2    3 steps",
        "  1.1 research  Heights                                   given documents",
        "                needs none",
        "  1.2 processing Divide",
        "                needs all before it",
        "  1.3 research  Again                                     search",
        "                needs 1.1 · again for 0.1 · slowly",
    ]


def test_that_a_model_failed_is_told_once_whatever_role_it_failed_in() -> None:
    failed = AgentEnded(end="error", why="auth: x refused the key in X_KEY (401).", steps=0, calls=0, by="understudy")
    other = failed.model_copy(update={"why": "timeout: x took too long."})
    assert told(failed, failed, other, failed) == [
        "notice      a model failed, understudies play: auth: x refused the key in X_KEY (401).",
        "notice      a model failed, understudies play: timeout: x took too long.",
    ]
    assert told(failed, zh=True) == ["提示        模型无法作答，由替补完成：auth: x refused the key in X_KEY (401)."]


def test_that_pages_were_read_for_a_model_is_told_with_its_step() -> None:
    read_for = DONE.model_copy(update={"by": "model", "notes": ("prefetched",)})
    assert told(read_for) == ["  1.1 done    5 claims · 3 sources · 0.4 s · read for the model"]
    assert told(read_for, zh=True)[0].endswith(" · 代模型阅读")
