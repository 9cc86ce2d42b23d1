"""The small Python runs hostile and honest cells alike: it ends them in time and leaves no process behind."""

import asyncio
import os
import signal
import statistics
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict, Unpack

import pytest

from moot.sandbox.dumps import seal
from moot.sandbox.monty import MAX_OUTPUT, Monty
from moot.sandbox.tracebacks import SMALL_PYTHON
from moot.values.ports import Ran

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
async def sandbox() -> AsyncIterator[Monty]:
    made = Monty(at_once=2)
    yield made
    await made.close()


class Given(TypedDict, total=False):
    """What a cell may be given beside its code."""

    dump: str
    timeout_s: float
    workspace: Path
    seed: str
    now: datetime


async def run(sandbox: Monty, code: str, **given: Unpack[Given]) -> Ran:
    return await sandbox.run(
        code,
        timeout_s=given.get("timeout_s", 20),
        dump=given.get("dump", ""),
        workspace=str(given["workspace"]) if "workspace" in given else None,
        seed=given.get("seed", ""),
        now=given.get("now"),
    )


def children() -> set[int]:
    """Processes that this one started and that still are."""
    task = Path(f"/proc/{os.getpid()}/task")
    return {int(pid) for thread in task.iterdir() for pid in (thread / "children").read_text().split()}


# --- What a cell shows ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("import math; math.comb(10,3)", "=> 120"),
        ("1+1", "=> 2"),
        ("x = 1", ""),
        ("None", ""),
        ("print('a')\n2", "a\n=> 2"),
        ("print('a', end='')\n2", "a\n=> 2"),
        ("print('a')", "a\n"),
        ("'a'", "=> 'a'"),
        ("[1, (2,), {'k': {3}}, b'x']", "=> [1, (2,), {'k': {3}}, b'x']"),
        ("class A:\n    def __repr__(self): return 'an A'\nA()", "=> an A"),
        ("if __name__ == '__main__':\n    print('main')", "main\n"),
        ("import asyncio\nasync def f(): return 3\nawait f()", "=> 3"),
        ('d = {\'a\': 1}\nf"{d["a"]}"', "=> '1'"),
        ("print('中文 🙂')", "中文 🙂\n"),
    ],
)
async def test_a_cell_shows_what_it_printed_and_its_last_value(sandbox: Monty, code: str, text: str) -> None:
    ran = await run(sandbox, code)
    assert (ran.text, ran.ok, ran.ended) == (text, True, "ok")


async def test_a_long_value_is_cut_at_four_thousand_characters(sandbox: Monty) -> None:
    ran = await run(sandbox, "'x' * 10_000")
    assert ran.text == "=> '" + "x" * 3_999 + "…"


async def test_an_error_shows_what_was_printed_and_the_traceback(sandbox: Monty) -> None:
    ran = await run(sandbox, "print('a'); 1/0")
    assert ran.text.startswith("a\nTraceback (most recent call last):\n")
    assert ran.text.endswith("ZeroDivisionError: division by zero")
    assert (ran.ok, ran.ended) == (False, "error")
    assert (await run(sandbox, "raise ValueError()")).text.endswith("\nValueError")


async def test_a_traceback_names_lines_of_the_cell_as_it_was_given(sandbox: Monty) -> None:
    ran = await run(sandbox, "def f():\n    return 1/0\n\nf()")
    assert [line.strip() for line in ran.text.splitlines() if "line " in line] == [
        'File "<python-input-0>", line 4, in <module>',
        'File "<python-input-0>", line 2, in f',
    ]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import statistics", "ModuleNotFoundError: No module named 'statistics'"),
        ("import socket", "ModuleNotFoundError: No module named 'socket'"),
        ("open('/etc/passwd')", "PermissionError: Permission denied: '/etc/passwd'"),
        ("open('x', 'w')", "PermissionError: Permission denied: '/x'"),
        ("class A(int): pass", "NotImplementedError"),
        ("def g():\n    yield 1", "NotImplementedError"),
        ("x = 1\ndel x", "NotImplementedError"),
        ("globals()", "NameError"),
        ("import os\nos.system('ls')", "AttributeError"),
        ("import sys; sys.exit(3)", "AttributeError"),
    ],
)
async def test_what_the_small_python_lacks_is_said(sandbox: Monty, code: str, error: str) -> None:
    ran = await run(sandbox, code)
    assert error in ran.text
    assert ran.text.endswith(SMALL_PYTHON)


async def test_a_mistake_of_the_code_is_not_blamed_on_the_small_python(sandbox: Monty) -> None:
    for code in ("nothing", "'a'.foo", "1 +", "int('x')"):
        assert SMALL_PYTHON not in (await run(sandbox, code)).text


# --- Names ---------------------------------------------------------------------------------------------------------


async def test_names_live_on_in_the_dump_alone(sandbox: Monty) -> None:
    first = await run(sandbox, "x = 40\ndef f(n): return n + 2")
    await sandbox.close()
    another = Monty()
    assert (await run(another, "f(x)", dump=first.dump)).text == "=> 42"
    assert "NameError" in (await run(another, "f(x)")).text
    await another.close()


async def test_an_error_keeps_the_names_set_before_it(sandbox: Monty) -> None:
    failed = await run(sandbox, "x = 1\n1/0")
    assert (await run(sandbox, "x", dump=failed.dump)).text == "=> 1"


async def test_after_a_limit_the_state_is_the_one_before_the_cell(sandbox: Monty) -> None:
    kept = (await run(sandbox, "x = 1")).dump
    slow = await run(sandbox, "x = 2\nprint('begun')\nwhile True: pass", dump=kept, timeout_s=0.3)
    assert slow.text == "begun\n[stopped after 0.3 s; the interpreter is as it was before this cell]"
    assert (slow.ok, slow.ended, slow.dump) == (False, "time", kept)
    large = await run(sandbox, "x = 3\ny = [0] * 10**9", dump=kept)
    assert (large.ok, large.ended, large.dump) == (False, "memory", kept)
    assert "256 MiB" in large.text
    # A short limit of one cell is not that of the next.
    assert (await run(sandbox, "s = 0\nfor i in range(3_000_000): s += 1\nx", dump=kept, timeout_s=30)).text == "=> 1"


async def test_names_too_large_to_keep_are_told_of(sandbox: Monty) -> None:
    kept = (await run(sandbox, "x = 1")).dump
    ran = await run(sandbox, "y = list(range(3_000_000))\nlen(y)", dump=kept)
    assert (ran.text, ran.ok, ran.dump) == ("=> 3000000", True, kept)
    assert "5 MiB" in ran.note


async def test_an_altered_dump_is_not_loaded(sandbox: Monty) -> None:
    kept = (await run(sandbox, "x = 1")).dump
    for altered in (
        kept[:-8] + "AAAAAAA=",
        kept.replace("monty-", "monty-0"),
        "garbage",
        "a:b:c",
        kept[:-40],
        "\ud800",
    ):
        ran = await run(sandbox, "'x' in 'xyz'", dump=altered)
        assert ran.text == "=> True"
        assert "are gone" in ran.note
        assert "NameError" in (await run(sandbox, "x", dump=altered)).text


async def test_a_state_that_is_no_state_is_an_error_of_the_cell(sandbox: Monty) -> None:
    made_by = (await run(sandbox, "1")).dump.partition(":")[0]
    ran = await run(sandbox, "1", dump=seal(b"not a state at all", made_by=made_by))
    assert not ran.ok


async def test_the_clock_stands_and_chance_is_seeded(sandbox: Monty) -> None:
    code = (
        "import datetime, random, time\ntime.sleep(1_000)\nprint(datetime.datetime.now(), time.time(), random.random())"
    )
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    first = await run(sandbox, code, seed="k", now=now)
    assert first.text.startswith("2026-01-02 03:04:05 1767323045.0 0.")
    assert (await run(sandbox, code, seed="k", now=now)).text == first.text
    assert (await run(sandbox, code, seed="other", now=now)).text != first.text
    later = await run(sandbox, "print(datetime.date.today())", dump=first.dump, now=datetime(2027, 1, 1, tzinfo=UTC))
    assert later.text == "2027-01-01\n"


# --- Files ---------------------------------------------------------------------------------------------------------


async def test_the_workspace_can_be_read_and_nothing_written(sandbox: Monty, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("hello", encoding="utf-8")
    (tmp_path / "secret").write_text("s3cret", encoding="utf-8")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "in" / "up").symlink_to("../secret")
    folder = tmp_path / "in"
    assert (await run(sandbox, "open('/workspace/a.txt').read()", workspace=folder)).text == "=> 'hello'"
    for code in (
        "open('/workspace/a.txt', 'w').write('x')",
        "open('/workspace/new', 'w')",
        "import os\nos.remove('/workspace/a.txt')",
        "open('/workspace/link').read()",
        "open('/workspace/up').read()",
        "open('/workspace/../secret').read()",
        "open('/etc/hostname').read()",
    ):
        ran = await run(sandbox, code, workspace=folder)
        assert not ran.ok, code
        assert "s3cret" not in ran.text
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "link", "up"]
    assert (folder / "a.txt").read_text(encoding="utf-8") == "hello"


# --- Hostile code --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("while True: pass", "time"),
        ("x = 3**(2*10**7)\nwhile True: x = x*x", "time"),
        ("import time\nwhile True: time.time()", "time"),
        ("x = []\nwhile True: x.append('a' * 1_000_000)", "memory"),
        ("[[] for i in range(20_000_000)]", "memory"),
        ("9**9**9", "memory"),
        ("'a'.join(['b' * 1_000] * 10**6)[:10]", "memory"),
        ("def f(n): return f(n + 1)\nf(0)", "error"),
        ("'['*100_000 + ']'*100_000\neval('['*100_000 + ']'*100_000)", "error"),
        ("x = 3**(10**6)\nprint(x)", "error"),
        ("raise SystemExit(3)", "error"),
        ("__import__('os').system('id')", "error"),
        ("1 +", "error"),
        ("\ud800", "error"),
        ("x" * 300_000, "error"),
    ],
)
async def test_hostile_code_ends_and_the_next_cell_runs(sandbox: Monty, code: str, ended: str) -> None:
    ran = await run(sandbox, code, timeout_s=1 if ended == "time" else 60)
    assert (ran.ok, ran.ended) == (False, ended)
    assert (await run(sandbox, "1+1")).text == "=> 2"


async def test_deep_values_are_shown_or_refused_never_fatal(sandbox: Monty) -> None:
    for code in ("a = []\na.append(a)\na", "a = 1\nfor i in range(100_000): a = [a]\na"):
        assert (await run(sandbox, code)).ended in ("ok", "error")
    assert (await run(sandbox, "1+1")).text == "=> 2"


async def test_huge_output_stops_being_collected() -> None:
    assert MAX_OUTPUT == 64 << 20
    sandbox = Monty(max_output=2 << 20)
    ran = await run(sandbox, "for i in range(9): print('y' * 500_000)\nprint('end')")
    await sandbox.close()
    assert ran.ok
    assert 1_500_000 < len(ran.text) <= (2 << 20) + 100
    assert ran.text.endswith("[the output is longer than 2 MiB; no more of it was collected]\n")


async def test_a_huge_error_is_cut(sandbox: Monty) -> None:
    assert len((await run(sandbox, "raise ValueError('x' * 10_000_000)")).text) < 9_000


# --- Processes -----------------------------------------------------------------------------------------------------


@linux_only
async def test_no_worker_outlives_its_cell_and_none_the_pool() -> None:
    before = children()
    sandbox = Monty(at_once=2)
    await run(sandbox, "x = 1")
    spare = children() - before
    await run(sandbox, "while True: pass", timeout_s=0.2)
    working = {int(pid) for pid in children() - before if _is_working(pid)}
    assert working == set()
    assert len(spare) <= 2
    await sandbox.close()
    assert children() == before


def _is_working(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "R"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def test_cancelling_kills_the_worker_and_waits_for_its_end(sandbox: Monty) -> None:
    running = asyncio.create_task(run(sandbox, "print('begun')\nwhile True: pass"))
    waiting = [asyncio.create_task(run(sandbox, "while True: pass")) for _ in range(4)]
    another = Monty()
    assert (await run(another, "1")).ok  # meanwhile the others have begun
    await another.close()
    began = time.perf_counter()
    for task in (running, *waiting):
        task.cancel()
    ends = await asyncio.gather(running, *waiting, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends)
    assert time.perf_counter() - began < 5
    assert (await run(sandbox, "1+1")).text == "=> 2"


async def test_closing_ends_the_cells_that_still_run() -> None:
    sandbox = Monty(at_once=2)
    await run(sandbox, "1")
    running = asyncio.create_task(run(sandbox, "while True: pass"))
    await asyncio.sleep(0)  # lets the cell be handed to its thread
    await sandbox.close()
    assert (await running).ended == "crashed"


async def test_many_cells_side_by_side_keep_to_themselves(sandbox: Monty) -> None:
    ran = await asyncio.gather(*(run(sandbox, f"x = {n}\nx + 1") for n in range(24)))
    assert [one.text for one in ran] == [f"=> {n + 1}" for n in range(24)]


def test_a_sandbox_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONTY_BIN", "/nowhere/monty")
    assert "/nowhere/monty" in Monty().missing()


def test_a_sandbox_that_can_start_lacks_nothing() -> None:
    assert Monty().missing() == ""


@linux_only
@pytest.mark.slow
def test_a_killed_host_leaves_no_worker_running_wild() -> None:
    script = textwrap.dedent("""
        import asyncio, os, sys
        from pathlib import Path
        from moot.sandbox.monty import Monty
        async def main():
            sandbox = Monty(at_once=1)
            running = asyncio.create_task(sandbox.run(
                "while True: pass", timeout_s=1, dump="", workspace=None, seed="", now=None))
            while not (pids := [pid for task in Path("/proc/self/task").iterdir()
                                for pid in (task / "children").read_text().split()]):
                await asyncio.sleep(0)
            print(*pids, flush=True)
            os.kill(os.getpid(), 9)
        asyncio.run(main())
    """)
    host = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert host.returncode == -signal.SIGKILL
    workers = [int(pid) for pid in host.stdout.split()]
    assert workers
    until = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < until, "a worker outlived its host"
        os.sched_yield()


async def test_a_cell_takes_less_than_20_ms(sandbox: Monty) -> None:
    """The median of the quietest of a few rounds: other tests run beside this one."""
    dump = (await run(sandbox, "x = 1")).dump
    medians: list[float] = []
    while len(medians) < 10 and min(medians, default=1) > 0.020:
        took: list[float] = []
        for _ in range(15):
            began = time.perf_counter()
            dump = (await run(sandbox, "x += 1\nx", dump=dump)).dump
            took.append(time.perf_counter() - began)
        medians.append(statistics.median(took))
    assert min(medians) <= 0.020
