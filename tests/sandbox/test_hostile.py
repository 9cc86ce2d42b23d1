"""Hostile code in every sandbox of this machine: nothing gets out, what was printed is kept, and it ends in time."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from moot.sandbox.box import Box
from moot.sandbox.tiers import TierName
from tests.sandbox.present import ISOLATING, Open, open_box, ran, tier_here

__all__ = ["open_box"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
    pytest.mark.parametrize("name", ISOLATING),
]
SECRET = "an-own-secret-of-this-machine"


async def shell(open_box: Open, name: TierName) -> Box:
    box = await open_box(await tier_here(name))
    await ran(box, "true")  # from here on its start takes no time
    return box


async def python(open_box: Open, name: TierName) -> Box:
    box = await open_box(await tier_here(name, "python"), "python")
    await ran(box, "None")
    return box


@pytest.fixture
def bystander() -> Iterator["subprocess.Popen[bytes]"]:
    """A process of this machine that no sandbox may touch."""
    with subprocess.Popen(["sleep", "600"], env={"BYSTANDER": SECRET}) as process:
        yield process
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)


# what would run for ever, or use up the machine


@pytest.mark.parametrize(
    "command",
    [
        "echo before; while :; do :; done",
        "echo before; (trap '' INT TERM HUP; while :; do :; done)",
        "echo before; setsid sleep 999 & sleep 999",
        "echo before; trap '' EXIT; kill -STOP $$",
        "echo before; cat /dev/zero > /dev/null",
        "echo before; exec 1>&- 2>&-; sleep 999",
    ],
)
async def test_what_never_ends_is_stopped_with_all_it_began(open_box: Open, name: TierName, command: str) -> None:
    box = await shell(open_box, name)
    begun = time.monotonic()
    came = await ran(box, command, timeout_s=1)
    assert (came.how, came.printed) == ("stopped", "before\n")
    assert time.monotonic() - begun < 30
    assert (await ran(box, "echo on")).background == 0


@pytest.mark.parametrize(
    "command",
    [
        "echo before; f() { f | f & }; f; sleep 60",
        "echo before; for i in $(seq 400); do sleep 60 & done; sleep 60",
        "echo before; python3 -c 'import os\nwhile True: os.fork()'",
        "echo before; (while :; do (setsid sleep 60 &) ; done)",
    ],
)
async def test_a_fork_bomb_is_ended_whole(open_box: Open, name: TierName, command: str) -> None:
    box = await shell(open_box, name)
    begun = time.monotonic()
    came = await ran(box, command, timeout_s=8)
    assert came.printed.startswith("before\n")
    assert came.how in ("limit", "stopped") or came.background == 0, came  # a fork that is refused ends some by itself
    assert time.monotonic() - begun < 50  # it would go on for 60 s, or for ever; a bomb slows its own end down, too
    assert (await ran(box, "echo on")).printed == "on\n"


@pytest.mark.parametrize(
    "code",
    [
        "print('before', flush=True)\nbytearray(8 << 30)",
        "print('before', flush=True)\nx = []\nwhile True: x.append(bytearray(64 << 20))",
        "print('before', flush=True)\nimport mmap, time\nx = []\n"
        "while True:\n    m = mmap.mmap(-1, 256 << 20); m.write(b'x' * (256 << 20)); x.append(m)",
        "print('before', flush=True)\nimport os\nfor i in range(6):\n    if os.fork() == 0:\n"
        "        x = bytearray(b'x' * (1 << 30))\n        while True: pass\nos.wait()",
    ],
)
async def test_huge_memory_ends_the_cell_and_nothing_else(open_box: Open, name: TierName, code: str) -> None:
    box = await python(open_box, name)
    came = await ran(box, code, timeout_s=30)
    assert came.printed.startswith("before\n")
    by_the_kernel = came.code == 137 or came.shown.endswith(", 9)")
    assert "MemoryError" in came.shown or "memory" in came.why or by_the_kernel, came
    assert (await ran(box, "1")).shown == "=> 1"


async def test_ten_gigabytes_of_output_cost_no_memory_here(open_box: Open, name: TierName) -> None:
    box = await shell(open_box, name)
    came = await ran(box, "head -c 10000000000 /dev/zero; echo; echo end > done", timeout_s=90)
    assert (len(came.printed), came.dropped, came.how) == (64 << 20, 10_000_000_001 - (64 << 20), "done")
    assert (await ran(box, "cat done")).printed == "end\n"


async def test_binary_output_and_a_shell_that_swears_are_shown_as_text(open_box: Open, name: TierName) -> None:
    box = await shell(open_box, name)
    came = await ran(box, "head -c 100000 /dev/urandom; printf '\\0\\33[2J\\r\\n'")
    assert came.printed.endswith("\0\33[2J\r\n")
    assert (await ran(box, "printf 'o\\0\\0\\0\\5hello'")).printed == "o\0\0\0\5hello"


async def test_a_file_has_a_size_and_the_private_folders_have_one_too(open_box: Open, name: TierName) -> None:
    box = await shell(open_box, name)
    await ran(box, "ulimit -f; dd if=/dev/zero of=big bs=1M count=1 seek=1023 2>/dev/null; echo x >> big")
    assert (await ran(box, "stat -c %s big; rm big")).printed == f"{1 << 30}\n"
    for folder, most in (("/tmp", 1 << 30), ("/run", 64 << 20), ("/dev/shm", 256 << 20)):
        came = await ran(box, f"df -B1 --output=size {folder} | tail -1")
        assert int(came.printed) <= most


# what would get out


@pytest.mark.parametrize(
    "command",
    [
        "cat /etc/shadow",
        "cat /etc/gshadow /etc/sudoers",
        "cat /ro?t/.ssh/* /hom?/*/.ssh/*",
        "cat /proc/1/environ",
        "cat /proc/1/maps",
        "cat /proc/1/fd/0",
        "readlink /proc/1/fd/0",
        "cd /proc/1/root && cat etc/shadow",
        "echo x > /etc/passwd",
        "echo x > /usr/bin/moot-was-here",
        "echo x > /moot-was-here",
        "cat /dev/mem /dev/kmsg /dev/vda /dev/sda",
        "mknod /tmp/disk b 259 0 && head -c 1 /tmp/disk",
        "mount -t tmpfs none /mnt",
        "mount -o remount,rw /usr",
        "unshare -m true",
        "chroot /tmp true",
        'v=$(cat /proc/sys/kernel/core_pattern); echo "$v" > /proc/sys/kernel/core_pattern',
        "v=$(cat /proc/sys/vm/overcommit_memory); echo $v > /proc/sys/vm/overcommit_memory",
        "echo h > /proc/sysrq-trigger",
        "echo -1000 > /proc/self/oom_score_adj",
        "kill -9 1 && sleep 0.1 && kill -0 1 && false",
        "hostname other",
        "dmesg",
        "echo x > /opt/moot/moot/sandbox/inside/driver.py",
    ],
)
async def test_what_lies_outside_can_be_neither_read_nor_changed(open_box: Open, name: TierName, command: str) -> None:
    box = await shell(open_box, name)
    came = await ran(box, command)
    assert came.how == "done"
    assert came.code != 0, came.printed
    assert "root:x:0" not in came.printed


async def test_the_environment_of_the_host_is_not_there(
    open_box: Open, name: TierName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWN_SECRET", SECRET)
    box = await shell(open_box, name)
    came = await ran(box, "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; set; ps aux 2>/dev/null")
    assert SECRET not in came.printed
    names = {line.partition("=")[0] for line in (await ran(box, "env")).printed.splitlines()}
    assert names <= {"PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_"}


async def test_a_link_out_of_the_workspace_leads_nowhere(open_box: Open, name: TierName, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text(SECRET)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "out").symlink_to(outside)
    box = await shell(open_box, name)
    came = await ran(
        box, f"cat out/secret; echo x > out/new; ls {tmp_path}; cat ../outside/secret; ln -s / root; ls root/root"
    )
    assert SECRET not in came.printed
    assert os.listdir(outside) == ["secret"]


async def test_no_other_process_is_seen_signalled_or_traced(
    open_box: Open, name: TierName, bystander: "subprocess.Popen[bytes]"
) -> None:
    box = await python(open_box, name)
    attack = f"""
import ctypes, os
tried = []
for act in (lambda: os.kill({bystander.pid}, 9), lambda: open('/proc/{bystander.pid}/environ').read(),
            lambda: open('/proc/1/mem', 'r+b'), lambda: open('/proc/self/../1/environ').read()):
    try:
        act()
        tried.append('got out')
    except OSError as error:
        tried.append(type(error).__name__)
libc = ctypes.CDLL(None, use_errno=True)
tried.append(libc.ptrace(16, 1, 0, 0))
tried
"""
    came = await ran(box, attack)
    assert "got out" not in came.shown
    assert came.shown.endswith("-1]")
    killed = await ran(await shell(open_box, name), "kill -9 -1; kill -STOP -1; echo on")
    assert killed.how in ("done", "ended")
    assert bystander.poll() is None


@pytest.mark.loopback
async def test_no_socket_reaches_the_host(open_box: Open, name: TierName) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        box = await python(open_box, name)
        attack = f"""
import socket
reached = []
for address in (('127.0.0.1', {port}), ('169.254.169.254', 80), ('1.1.1.1', 53)):
    try:
        socket.create_connection(address, timeout=2)
        reached.append(address)
    except OSError:
        pass
try:
    reached.append(socket.getaddrinfo('example.org', 80))
except OSError:
    pass
reached
"""
        assert (await ran(box, attack)).shown == "=> []"


async def test_a_forged_end_costs_its_own_command_alone(open_box: Open, name: TierName) -> None:
    box = await shell(open_box, name)
    await ran(box, "printf '0\\0/etc\\0' > /run/moot/end; head -c 9000000 /dev/zero > /run/moot/end & sleep 0.2")
    assert (await ran(box, "echo on")).printed == "on\n"
    assert (await ran(box, "exit 4")).code == 4
    await ran(box, "rm -rf /run/moot; mkdir -p /run/moot/command/x", timeout_s=1)
    assert (await ran(box, "echo on", timeout_s=2)).how in ("done", "limit", "stopped")


async def test_whatever_happened_nothing_is_left(open_box: Open, name: TierName) -> None:
    box = await shell(open_box, name)
    await ran(
        box,
        "(trap '' TERM HUP INT; exec -a left-behind-7a sleep 600) & "
        "setsid -f bash -c 'exec -a left-behind-7a sleep 600'",
    )
    await box.close()
    left = [pid for pid in os.listdir("/proc") if pid.isdigit() and b"left-behind-7a" in _command_line(pid)]
    assert left == []


def _command_line(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
