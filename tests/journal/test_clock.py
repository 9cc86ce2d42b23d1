import os
import subprocess
import sys

from moot.journal.clock import SystemClock, is_dead, new_holder


def test_two_walkers_never_share_a_name() -> None:
    names = {new_holder() for _ in range(100)}
    assert len(names) == 100
    assert all(len(name.split(":")) == 4 for name in names)


def test_this_process_is_alive_and_one_that_has_ended_is_dead() -> None:
    assert not is_dead(new_holder())
    code = "from moot.journal.clock import new_holder; print(new_holder(), flush=True); input()"
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdin
    assert child.stdout
    holder = child.stdout.readline().strip()
    assert not is_dead(holder)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # its exit code is not collected, so a zombie is left
    assert is_dead(holder)
    child.communicate()
    assert is_dead(holder)


def test_a_pid_that_was_given_to_another_process_is_no_walker() -> None:
    host, pid, started, tail = new_holder().rsplit(":", 3)
    assert started.isdigit()
    assert is_dead(f"{host}:{pid}:{int(started) - 1}:{tail}")


def test_nothing_is_said_of_a_process_on_another_host() -> None:
    assert not is_dead("elsewhere:1:1:00000000")
    assert not is_dead("")


def test_the_clock_only_grows() -> None:
    clock = SystemClock()
    first = clock.seconds()
    assert clock.seconds() >= first
    assert clock.boot() == SystemClock().boot()
