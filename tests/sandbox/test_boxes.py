"""A box of every tier: what a shell and an interpreter do in it, what they keep, and how they are stopped and ended."""

import asyncio
import base64
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from moot.sandbox.box import Box, Folders, Kept, Start
from moot.sandbox.tiers import TierName
from moot.values.errors import ToolFailed
from tests.sandbox.present import IMAGE, Open, open_box, ran, tier_here

__all__ = ["open_box"]

every_tier = pytest.mark.parametrize(
    "name",
    ["bubblewrap", pytest.param("docker", marks=pytest.mark.slow), pytest.param("unsandboxed", marks=pytest.mark.slow)],
)
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@every_tier
@pytest.mark.parametrize(
    ("command", "printed", "code"),
    [
        ("echo a # c", "a\n", 0),
        ("cat <<END\nhello\nEND", "hello\n", 0),
        ("cat", "", 0),
        ("", "", 0),
        ("false", "", 1),
        ("printf '\\xff\\n'", "�\n", 0),
        ("ls /nonexist 2>/dev/null; echo ok", "ok\n", 0),
        ("printf no-end", "no-end", 0),
        ("if true; then", None, 2),
        ("echo 'open", None, 2),
        ("break; continue; return 4", None, 4),
        ("seq 1 40000 | wc -c", "228894\n", 0),
        ("bash -c 'kill -9 $$'", None, 137),
    ],
)
async def test_what_a_command_prints_and_ends_with(
    open_box: Open, name: TierName, command: str, printed: str | None, code: int
) -> None:
    box = await open_box(await tier_here(name))
    came = await ran(box, command)
    assert (came.how, came.code) == ("done", code)
    assert printed is None or came.printed == printed
    assert (await ran(box, "echo next")).printed == "next\n"


@every_tier
async def test_a_shell_keeps_what_lives_in_it_and_starts_anew_from_what_is_kept(open_box: Open, name: TierName) -> None:
    box = await open_box(await tier_here(name))
    await ran(box, "mkdir app; cd app; export A='x\ny'; B=plain; f() { echo \"f $1\"; }; export -f f; umask 077")
    asked = 'pwd; echo "$A|$B"; f 1; bash -c "f 2"; umask'
    live = await ran(box, asked)
    assert live.printed.endswith("/app\nx\ny|plain\nf 1\nf 2\n0077\n")
    ended = await ran(box, "cd /; exit 3")
    assert (ended.how, ended.code, ended.anew, ended.cwd) == ("ended", 3, True, live.cwd)
    assert (await ran(box, asked)).printed == live.printed.replace("plain", "")


@every_tier
@pytest.mark.parametrize(
    ("command", "code"), [("exec true", 0), ("set -e; false", 1), ("kill -9 $$", 137), ("set -o posix; . /none", 1)]
)
async def test_a_shell_that_ended_is_started_anew(open_box: Open, name: TierName, command: str, code: int) -> None:
    box = await open_box(await tier_here(name))
    ended = await ran(box, f"echo before; {command}")
    assert (ended.printed.startswith("before\n"), ended.how, ended.code) == (True, "ended", code)
    assert (await ran(box, "echo $-; echo on")).printed.endswith("on\n")


@every_tier
async def test_a_shell_is_started_from_what_another_one_kept(open_box: Open, name: TierName) -> None:
    tier = await tier_here(name)
    first = await open_box(tier)
    came = await ran(first, "mkdir -p app; cd app; export A=1; sleep 60 &")
    assert came.background == 1
    await first.close()
    second = await open_box(tier, kept=came.kept())
    again = await ran(second, "pwd; echo $A")
    assert again.printed.endswith("/app\n1\n")
    assert again.background == 0


@every_tier
async def test_a_kept_folder_that_is_gone_and_a_kept_state_that_ends_the_shell_cost_nothing(
    open_box: Open, name: TierName
) -> None:
    state = base64.b64encode(b"exit 7").decode()
    box = await open_box(await tier_here(name), kept=Kept(cwd="/workspace/gone", state=state))
    came = await ran(box, "pwd")
    if came.how == "ended":  # it died while the command was given to it
        came = await ran(box, "pwd")
    assert (came.how, came.code) == ("done", 0)


@every_tier
async def test_a_stop_keeps_what_was_printed_and_ends_the_whole_group(open_box: Open, name: TierName) -> None:
    box = await open_box(await tier_here(name))
    await ran(box, "cd /tmp; sleep 61 &")
    stopped = await ran(box, "echo before; (trap '' TERM INT; sleep 62) | sleep 63", timeout_s=0.5)
    assert (stopped.printed, stopped.how, stopped.gone) == ("before\n", "stopped", 1)
    after = await ran(box, "pwd")
    assert (after.printed, after.background) == ("/tmp\n", 0)


@pytest.mark.slow
@every_tier
async def test_output_is_collected_up_to_a_limit_and_the_command_goes_on(open_box: Open, name: TierName) -> None:
    box = await open_box(await tier_here(name))
    came = await ran(box, "head -c 70000000 /dev/zero | tr '\\0' x; echo end > done", timeout_s=60)
    assert (len(came.printed), came.dropped, came.code) == (64 << 20, 70_000_000 - (64 << 20), 0)
    assert (await ran(box, "cat done")).printed == "end\n"


@every_tier
async def test_what_a_process_in_the_background_prints_comes_with_the_next_command(
    open_box: Open, name: TierName
) -> None:
    box = await open_box(await tier_here(name))
    await ran(box, "mkfifo go gone; (cat go >/dev/null; echo late; echo > gone) &")
    await ran(box, "echo > go; cat gone > /dev/null")
    await ran(box, "exec >/dev/null")
    assert (await ran(box, "echo unheard")).printed == ""
    assert (await ran(box, "exit 0")).how == "ended"
    assert (await ran(box, "echo heard")).printed == "heard\n"


@every_tier
@pytest.mark.parametrize(
    ("code", "printed", "shown"),
    [
        ("import math; math.comb(10, 3)", "", "=> 120"),
        ("print('a')", "a\n", ""),
        ("import sys; print('a', end=''); print('b', file=sys.stderr); print('c')", None, ""),
        ("if __name__ == '__main__':\n    print('main')", "main\n", ""),
        ("class A: pass\nclass B(A): pass\nB.__mro__[1] is A", "", "=> True"),
        ("'x' * 5000", "", f"=> '{'x' * 3999}…"),
        ("import subprocess; subprocess.run(['echo', 'hi']).returncode", "hi\n", "=> 0"),
        ("print('\\ud800')", "\\ud800\n", ""),
        ("None", "", ""),
        ("", "", ""),
    ],
)
async def test_what_a_cell_shows(open_box: Open, name: TierName, code: str, printed: str | None, shown: str) -> None:
    box = await open_box(await tier_here(name, "python"), "python")
    came = await ran(box, code)
    assert (came.how, came.code, came.shown) == ("done", 0, shown)
    assert printed is None or came.printed == printed


@every_tier
@pytest.mark.parametrize(
    ("code", "last"),
    [
        ("print('a'); 1/0", "ZeroDivisionError: division by zero"),
        ("raise ValueError()", "ValueError"),
        ("1 +", "SyntaxError: invalid syntax"),
        ("\0", None),
        ("def f():\n    return f()\nf()", "RecursionError: maximum recursion depth exceeded"),
    ],
)
async def test_an_error_is_shown_with_its_type_and_line(
    open_box: Open, name: TierName, code: str, last: str | None
) -> None:
    box = await open_box(await tier_here(name, "python"), "python")
    came = await ran(box, code)
    assert (came.how, came.code) == ("done", 1)
    assert last is None or came.shown.splitlines()[-1] == last
    assert "interpreter.py" not in came.shown
    assert (await ran(box, "2")).shown == "=> 2"


@every_tier
async def test_names_live_on_and_an_interrupt_keeps_them(open_box: Open, name: TierName) -> None:
    box = await open_box(await tier_here(name, "python"), "python")
    await ran(box, "x = 41")
    stopped = await ran(box, "print('on', flush=True)\nwhile True: pass", timeout_s=0.5)
    assert (stopped.printed, stopped.how, stopped.anew) == ("on\n", "stopped", False)
    assert (await ran(box, "x + 1")).shown == "=> 42"


@every_tier
async def test_an_interpreter_that_heeds_no_interrupt_is_killed(open_box: Open, name: TierName) -> None:
    box = await open_box(await tier_here(name, "python"), "python")
    heedless = "while True:\n    try:\n        time.sleep(60)\n    except KeyboardInterrupt: print('no', flush=True)"
    stopped = await ran(box, f"import time\nx = 1\n{heedless}", timeout_s=0.5)
    assert (stopped.printed, stopped.how, stopped.anew) == ("no\n", "stopped", True)
    assert "NameError" in (await ran(box, "x")).shown


@every_tier
@pytest.mark.parametrize(
    ("code", "exit_code"), [("import sys; sys.exit(3)", 3), ("import os; os.abort()", 134), ("raise BaseException", 1)]
)
async def test_an_interpreter_that_ended_is_started_anew(
    open_box: Open, name: TierName, code: str, exit_code: int
) -> None:
    box = await open_box(await tier_here(name, "python"), "python")
    ended = await ran(box, code)
    assert (ended.how, ended.code, ended.anew) == ("ended", exit_code, True)
    assert (await ran(box, "1")).shown == "=> 1"


@pytest.mark.parametrize("name", ["bubblewrap", "docker"])
async def test_modules_in_the_workspace_are_imported_and_the_environment_is_empty(
    open_box: Open, name: TierName, tmp_path: Path
) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "ours.py").write_text("ANSWER = 42\n")
    box = await open_box(await tier_here(name, "python"), "python")
    assert (await ran(box, "import ours; ours.ANSWER")).shown == "=> 42"
    assert (await ran(box, "import os; sorted(os.environ)")).shown == "=> ['HOME', 'LANG', 'PATH']"


@pytest.mark.slow
async def test_packages_beside_moot_work_in_bubblewrap(open_box: Open) -> None:
    box = await open_box(await tier_here("bubblewrap", "python"), "python")
    await ran(box, "import os, pandas, matplotlib.pyplot as p; p.plot([1, 2]); p.savefig('a.png')", timeout_s=60)
    assert (await ran(box, "os.path.getsize('a.png') > 1000")).shown == "=> True"


@every_tier
@linux_only
async def test_nothing_of_it_is_left_when_it_is_closed(open_box: Open, name: TierName, tmp_path: Path) -> None:
    box = await open_box(await tier_here(name))
    await ran(box, "mkfifo alive; (trap '' TERM HUP; sleep 987654) & setsid sleep 987655 & disown -a")
    await box.close()
    assert not [pid for pid in os.listdir("/proc") if pid.isdigit() and b"98765" in _command_line(pid)]


def _command_line(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@every_tier
async def test_the_runs_own_folder_is_read_below_the_workspace_and_leaves_nothing_there(
    open_box: Open, name: TierName, tmp_path: Path
) -> None:
    if name == "unsandboxed":
        pytest.skip("nothing is bound without a sandbox")
    own = tmp_path / "own"
    own.mkdir()
    (own / "out.txt").write_text("whole\n")
    box = await open_box(await tier_here(name), own=own)
    came = await ran(box, "cat .moot/out.txt; echo x > .moot/out.txt")
    assert came.printed.startswith("whole\n")
    assert came.code == 1
    assert (own / "out.txt").read_text() == "whole\n"
    await box.close()
    assert os.listdir(tmp_path / "files") == []


@dataclass(frozen=True, slots=True)
class Speaking:
    """A tier whose driver is another program."""

    program: Path
    name = "speaking"
    isolates = True
    network = False

    def start(self, folders: Folders) -> Start:
        return Start((sys.executable, str(self.program)))


@pytest.mark.parametrize("frame", [b"o\xff\xff\xff\xff", b"z\0\0\0\1x", b"e\0\0\0\2{}", b"e\0\0\0\2no", b"", b"x"])
async def test_what_speaks_no_sense_is_closed_and_costs_no_crash(tmp_path: Path, frame: bytes) -> None:
    program = tmp_path / "driver.py"
    program.write_text(f"import sys; sys.stdin.readline(); sys.stdout.buffer.write({frame!r}); sys.stderr.write('why')")
    box = await Box.open("bash", Speaking(program), Folders(tmp_path))
    if frame[:1] == b"e":  # it had a whole frame to say before it went wrong
        assert (await box.run("true", timeout_s=5)).why == "the sandbox itself ended"
    else:
        with pytest.raises(ToolFailed, match="speaking cannot start here: why"):
            await box.run("true", timeout_s=5)
    assert not box.usable
    await box.close()


DIES = """
import asyncio, os
from pathlib import Path
from moot.app.tiers import machine_of
from moot.sandbox.box import Box, Folders
from moot.sandbox.tiers import Chosen, tier_of

async def main():
    tier = tier_of(Chosen(tier={name!r}, image={image!r}), machine_of(os.environ))
    box = await Box.open("bash", tier, Folders(Path({folder!r})))
    lasting = "(trap '' TERM HUP; exec -a {mark} sleep 600) & until grep -q {mark} /proc/$!/cmdline; do :; done"
    await box.run(lasting, timeout_s=30)
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""


@pytest.mark.slow
@every_tier
@linux_only
async def test_nothing_of_it_outlives_the_process_that_opened_it(name: TierName, tmp_path: Path) -> None:
    await tier_here(name)
    mark = f"moot-orphan-{name}"
    code = DIES.format(name=name, image=IMAGE, folder=str(tmp_path), mark=mark)
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await killed.wait() == -9
    async with asyncio.timeout(20):
        while any(mark.encode() in _command_line(pid) for pid in os.listdir("/proc") if pid.isdigit()):
            await asyncio.to_thread(os.sched_yield)


async def test_of_the_folder_that_python_lies_in_nothing_else_is_shown(
    open_box: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tier = await tier_here("bubblewrap")
    (tmp_path / "project" / "lib").mkdir(parents=True)
    (tmp_path / "project" / "keys").write_text("secret")
    monkeypatch.setattr("sys.exec_prefix", str(tmp_path / "project"))
    assert (await ran(await open_box(tier), f"ls {tmp_path / 'project'}")).printed == "lib\n"
