"""A person at a terminal: the default team from the command line, on documents, without a model and with one."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from moot.cli.main import run
from tests.cli.lighthouses import CALLS, QUESTION, calls_of, documents, script
from tests.golden import assert_golden

Moot = Callable[..., "Told"]


class Told:
    """What one command came to."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def run(self) -> str:
        """The run that the first line of stderr names."""
        found = re.search(r"run (\w{10})", self.err)
        assert found, self.err
        return found[1]


@pytest.fixture
def moot(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Moot:
    """`moot("research", …)`: runs a command on a fresh home, not at a terminal."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("MOOT_HOME", str(tmp_path / "home"))

    def told(*words: str) -> Told:
        code = run(words)
        captured = capsys.readouterr()
        return Told(code, captured.out, captured.err)

    return told


TOWERS = "How many times taller is the Burj Khalifa than the Eiffel Tower?"


@pytest.fixture
def towers(tmp_path: Path) -> str:
    """The folder of two documents."""
    docs = tmp_path / "towers"
    docs.mkdir()
    (docs / "burj.md").write_text("The Burj Khalifa in Dubai is 828 m tall.\n", encoding="utf-8")
    (docs / "eiffel.md").write_text("The Eiffel Tower in Paris is 330 m tall.\n", encoding="utf-8")
    return str(docs)


def test_the_with_statement_is_answered_from_pythons_own_reference(moot: Moot) -> None:
    told = moot("research", "What does the with statement do?", "--docs", "python", "--yes")
    assert told.code == 0
    assert told.out.startswith("# ")
    assert "used to wrap the execution of a block" in told.out
    assert "docs://python/with" in told.out
    claims = re.search(r"Audit: (\d+) of (\d+) factual sentences verified \(100 %\)", told.out)
    assert claims
    assert claims[1] == claims[2]
    lines = told.err.splitlines()
    assert re.fullmatch(
        r"moot research · run \w{10} · docs python \(\d+ documents\) · web off · "
        r"no model: understudies play \(moot doctor\)", lines[0],
    )  # fmt: skip
    assert lines[1] == "route       hand off · en-US · What does the with statement do?"
    assert lines[-1].startswith("files       ")
    assert Path(lines[-1].removeprefix("files").strip()).read_text(encoding="utf-8") == told.out
    audited = moot("audit", "last")
    assert (audited.code, audited.out.splitlines()[-1]) == (0, "all verified")
    assert audited.out.splitlines()[0] in told.out


def test_a_plan_waits_when_nobody_is_there_and_is_accepted_later(moot: Moot, towers: str) -> None:
    waiting = moot("research", TOWERS, "--docs", towers)
    assert (waiting.code, waiting.out) == (3, "")
    last = waiting.err.splitlines()[-1]
    assert last == f"waits       a person's answer. Go on with: moot resume {waiting.run} --accept"
    assert moot("resume", "last").code == 3
    resumed = moot("resume", "last", "--accept")
    assert resumed.code == 0
    assert "2.509" in resumed.out
    replayed = moot("replay", "last")
    assert (replayed.code, replayed.out) == (0, "identical\n")
    assert moot("resume", "last").out == resumed.out
    late = moot("resume", "last", "--accept")
    assert late.code == 2
    assert late.err.startswith("already_answered: ")
    assert "was answered by command line at " in late.err


def test_a_ratio_is_computed_from_two_quotes_with_marks_and_code(moot: Moot, towers: str) -> None:
    told = moot("research", TOWERS, "--docs", towers, "-y", "-q")
    assert (told.code, told.err) == (0, "")
    for part in (
        "≈ 2.509",
        "The Burj Khalifa in Dubai is 828 m tall.",
        "The Eiffel Tower in Paris is 330 m tall.",
        "print(",
    ):
        assert part in told.out
    plan = json.loads(moot("show", "last", "--plan", "--json").out.splitlines()[0])["plan"]
    assert [(step["id"], step["step_type"]) for step in plan["steps"]] == [("1.1", "research"), ("1.2", "processing")]
    sources = json.loads(moot("show", "last", "--sources", "--json").out)
    assert {source["address"] for source in sources} == {"docs://towers/burj.md", "docs://towers/eiffel.md"}


def test_a_sum_needs_no_documents(moot: Moot) -> None:
    told = moot("research", "What is 17 * 23?", "-y", "--offline")
    assert told.code == 0
    assert "391" in told.out


def test_small_talk_is_answered_on_stdout_and_kept(moot: Moot) -> None:
    told = moot("research", "你好，在吗？")
    assert told.code == 0
    assert "moot" in told.out
    assert "路线" not in told.out
    assert moot("show", "last", "--report").out == told.out
    assert moot("audit", "last").code == 2


def test_what_is_not_there_is_not_found_and_no_claim_is_made(moot: Moot, towers: str) -> None:
    told = moot("research", "What is the capital of France?", "--docs", towers, "--yes")
    assert told.code == 4
    assert "ended       nothing found" in told.err.splitlines()
    assert "[1]" not in told.out


def test_a_question_may_come_from_standard_input(
    moot: Moot, towers: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "question.txt").write_text(TOWERS, encoding="utf-8")
    with (tmp_path / "question.txt").open(encoding="utf-8") as question:
        monkeypatch.setattr("sys.stdin", question)
        told = moot("-", "--docs", towers, "-y")
    assert told.code == 0
    assert "2.509" in told.out


def test_a_report_is_also_written_where_it_is_wanted(moot: Moot, towers: str, tmp_path: Path) -> None:
    out, whole, folder = tmp_path / "r.md", tmp_path / "r.json", tmp_path / "reports"
    told = moot(
        "research", TOWERS, "--docs", towers, "-y", "--out", str(out), "--out", str(whole), "--out", str(folder)
    )
    assert told.code == 0
    assert out.read_text(encoding="utf-8") == told.out
    assert (folder / f"{told.run}.md").read_text(encoding="utf-8") == told.out
    report = json.loads(whole.read_text(encoding="utf-8"))
    assert (report["format"], len(report["claims"])) == ("moot.report/1", 3)
    assert moot("audit", str(out)).code == 0
    assert moot("audit", str(whole)).code == 0
    out.write_text(told.out.replace("828 m tall", "823 m tall"), encoding="utf-8")
    changed = moot("audit", str(out))
    assert changed.code == 6
    assert "823" in changed.out
    assert "the report as it is kept: Audit: 3 of 3" in changed.out
    assert moot("research", TOWERS, "--docs", towers, "-y", "--out", str(out)).code == 2


def test_a_plan_is_refused_or_changed_from_the_command_line(moot: Moot, towers: str, tmp_path: Path) -> None:
    moot("research", TOWERS, "--docs", towers)
    assert moot("resume", "last", "--refuse", "too dear").code == 5
    moot("research", TOWERS, "--docs", towers)
    changed = moot("resume", "last", "--edit", "add a step on cost")
    assert changed.code == 3
    assert "3 steps" in changed.err
    (tmp_path / "plan.json").write_text('[{"title": "Only this", "description": "Burj Khalifa"}]', encoding="utf-8")
    replaced = moot("resume", "last", "--replace", str(tmp_path / "plan.json"))
    assert replaced.code in (0, 4)
    assert "  1.1 research  Only this" in replaced.err or "Only this" in replaced.err


def test_two_ways_to_answer_at_once_are_one_too_many(moot: Moot, towers: str) -> None:
    moot("research", TOWERS, "--docs", towers)
    told = moot("resume", "last", "--accept", "--edit", "x")
    assert told.code == 2
    assert "one answer" in told.err
    unclear = moot("resume", "last", "--answer", "yes and no")
    assert unclear.code == 2
    assert unclear.err.startswith("question_unreadable")
    assert moot("resume", "last", "--answer", "").code == 2
    assert moot("runs").out.split()[2] == "waiting"


def test_events_are_json_lines_on_stdout_for_a_program(moot: Moot, towers: str) -> None:
    told = moot("research", TOWERS, "--docs", towers, "-y", "--json")
    assert (told.code, told.err) == (0, "")
    events = [json.loads(line) for line in told.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert (events[0]["type"], events[-1]["type"]) == ("queued", "ended")


def test_chinese_is_told_in_chinese(moot: Moot, tmp_path: Path) -> None:
    (tmp_path / "gil.md").write_text(
        "全局解释器锁是CPython用来保证同一时刻只有一个线程执行字节码的互斥锁。\n", encoding="utf-8"
    )
    told = moot("research", "什么是全局解释器锁？", "--docs", str(tmp_path / "gil.md"), "--yes")
    lines = told.err.splitlines()
    assert "未配置模型：由替补完成（moot doctor）" in lines[0]
    assert lines[1].startswith("分流        转交研究 · zh-CN · 什么是全局解释器锁")
    assert told.code == 0
    assert "核验：" in told.out
    assert "核验        1 句事实陈述中 1 句得到证实" in told.err
    assert moot("resume", "last").err.splitlines()[1] == lines[1]
    assert moot("replay", "last").out == "一致\n"
    assert moot("audit", "last").out.splitlines()[-1] == "全部通过"
    assert moot("resume", "last", "--accept").err.startswith("already_finished")


def test_three_steps_of_three_calls_are_twelve_calls_and_a_fork_pays_only_for_what_follows(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = documents(tmp_path)
    monkeypatch.setenv("MOOT_MODELS_FAST", f"scripted:{script(tmp_path)}")
    told = moot("research", QUESTION, "--docs", str(docs), "--yes", "--max-rounds", "1")
    assert told.code == 0, told.err
    assert len(calls_of(tmp_path)) == CALLS
    assert " · model fast scripted:" in told.err.splitlines()[0]
    assert len(set(calls_of(tmp_path))) == CALLS
    assert moot("replay", "last").out == "identical\n"
    assert len(calls_of(tmp_path)) == CALLS
    exported = moot("export", told.run, "--journal").out
    assert exported == moot("export", told.run, "--journal").out
    key = next(json.loads(line)["key"] for line in exported.splitlines() if '"key":"report#1' in line)
    forked = moot("fork", told.run, "--at", key)
    assert forked.code == 0, forked.err
    assert len(calls_of(tmp_path)) == CALLS + 1
    gone = moot("fork", told.run, "--at", "report#1/model#99")
    assert gone.code == 2
    assert "key_unknown" in gone.err


def test_a_run_is_forgotten_by_its_whole_id_and_a_yes(moot: Moot, towers: str, tmp_path: Path) -> None:
    told = moot("research", TOWERS, "--docs", towers, "-y")
    assert moot("forget", told.run[:6], "--yes").code == 2
    assert moot("forget", told.run).code == 5
    assert moot("forget", told.run, "--yes").code == 0
    again = moot("show", told.run)
    assert again.code == 2
    assert again.err.startswith("run_forgotten")
    held = [
        path for path in (tmp_path / "home").rglob("*") if path.is_file() and b"Burj Khalifa than" in path.read_bytes()
    ]
    assert held == []


def test_runs_are_listed_newest_first(moot: Moot, towers: str) -> None:
    first = moot("research", TOWERS, "--docs", towers, "-y").run
    second = moot("research", "What is 17 * 23?", "-y").run
    listed = moot("runs").out.splitlines()
    assert [line.split()[0] for line in listed] == [second, first]
    assert [json.loads(line)["id"] for line in moot("runs", "--json", "--limit", "1").out.splitlines()] == [second]
    assert moot("runs", "--ending", "failed").out == ""


def test_the_drawing_of_research_is_its_golden_with_nine_nodes(moot: Moot) -> None:
    told = moot("teams", "--draw", "research")
    rows = map(json.loads, moot("teams", "--json").out.splitlines())
    assert next(len(row["nodes"]) for row in rows if row["name"] == "research") == 9
    assert_golden("teams/research.mmd", told.out)


def test_a_tool_is_used_by_hand(moot: Moot, towers: str) -> None:
    assert moot("tools", "python", "code=print(6 * 7)").out == "42\n"
    failed = moot("tools", "read_page", "address=docs://towers/none.md", "--docs", towers)
    assert failed.code == 1
    assert failed.out.startswith("Failed:")
    assert moot("tools", "serach").code == 2
    assert moot("tools", "search", "query=Burj", "n=many", "--docs", towers).code == 2
    assert '"effect"' in moot("tools", "--json").out


def test_a_folder_is_indexed_and_its_index_told_of(moot: Moot, towers: str) -> None:
    assert moot("index", towers).out == "2 documents · 2 read anew · 0 gone · 0 skipped\n"
    assert moot("index", towers).out == "2 documents · 0 read anew · 0 gone · 0 skipped\n"
    assert towers in moot("index", "--status").out
    assert moot("index").code == 2


def test_questions_are_measured_line_by_line(moot: Moot, towers: str, tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    lines = [{"question": TOWERS, "quote": ["828 m tall"]}, {"question": "Who rules Mars?", "quote": None}]
    cases.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    told = moot("eval", "questions", str(cases), "--docs", towers)
    assert told.code == 0, told.out
    assert [line[:4] for line in told.out.splitlines()[:2]] == ["hit ", "hit "]
    assert told.out.splitlines()[2].startswith("2 of 2 hit · ")
    cases.write_text('{"question": "How tall is the Eiffel Tower?", "quote": ["999 m"]}', encoding="utf-8")
    missed = moot("eval", "questions", str(cases), "--docs", towers)
    assert missed.code == 6
    assert missed.out.startswith("miss ")


def test_the_doctor_says_that_the_trial_can_run(moot: Moot) -> None:
    told = moot("doctor")
    assert told.code == 0, told.out
    assert {line.split()[0] for line in told.out.splitlines()} >= {"python", "sqlite", "models", "web", "sandbox"}


def test_the_doctor_finds_what_a_run_would_refuse_in_the_settings(moot: Moot, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    written = tmp_path / "home" / "settings.toml"
    for line, fault in (("[research]\nmax_steps = 99", "research.max_steps"), ("bogus = 1", "bogus in ")):
        written.write_text(line, encoding="utf-8")
        told = moot("doctor")
        rows = [row.split(maxsplit=2) for row in told.out.splitlines()]
        assert [what for name, state, what in rows if (name, state) == ("settings", "missing") and fault in what]


def test_what_follows_reads_another_run_as_history(moot: Moot, towers: str) -> None:
    first = moot("research", TOWERS, "--docs", towers, "-y")
    assert moot("research", TOWERS, "--docs", towers, "-y", "--after", first.run[:5]).code == 0
    assert moot("research", TOWERS, "--docs", towers, "-y", "--after", "nobody").code == 2
