"""Which sandbox serves a tool: the first that works, and each that does not with its reason; orphans of Docker."""

import os
import stat
from pathlib import Path

import pytest

from moot.sandbox.box import Folders
from moot.sandbox.docker import Docker
from moot.sandbox.tiers import Chosen, Machine, Wanted, choose, tier_of
from moot.values.errors import ToolFailed
from tests.sandbox.present import MACHINE, tier_here


def program(path: Path, *lines: str) -> str:
    """A program of the test's own in place of another."""
    path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


async def test_the_first_that_works_is_chosen_and_each_before_it_has_its_reason() -> None:
    await tier_here("bubblewrap")
    machine = MACHINE._replace(docker="")
    chosen = await choose(Wanted("bash", ["docker", "bubblewrap", "unsandboxed"], image="x"), machine)
    assert chosen == Chosen(tier="bubblewrap", tried=("docker: there is no docker here",), image="x")


async def test_a_host_that_refuses_user_namespaces_is_told_in_its_own_words(tmp_path: Path) -> None:
    why = "bwrap: No permissions to create new namespace"
    bwrap = program(tmp_path / "bwrap", f"echo '{why}' >&2; exit 1")
    wanted = Wanted("bash", ["bubblewrap", "docker"], image="none:1")
    chosen = await choose(wanted, Machine(bwrap=bwrap))
    assert chosen.tier == ""
    assert chosen.tried == (f"bubblewrap: {why}", "docker: there is no docker here")


async def test_what_is_not_installed_is_told_with_its_package(tmp_path: Path) -> None:
    chosen = await choose(Wanted("python", ["bubblewrap", "docker"]), Machine(docker=str(tmp_path / "docker")))
    assert chosen.tried == (
        "bubblewrap: there is no bwrap here (install the package bubblewrap)",
        "docker: no image is set (sandbox.image)",
    )


async def test_a_program_that_is_gone_or_no_program_is_a_reason(tmp_path: Path) -> None:
    chosen = await choose(Wanted("bash", ["bubblewrap"]), Machine(bwrap=str(tmp_path / "gone")))
    assert chosen.tier == ""


async def test_a_docker_without_its_image_says_so(tmp_path: Path) -> None:
    said = "docker: Error response from daemon: No such image: python:3.13"
    docker = program(tmp_path / "docker", f'echo "{said}" >&2; echo "See \'docker run --help\'." >&2; exit 125')
    chosen = await choose(Wanted("bash", ["docker"], image="python:3.13"), Machine(docker=docker))
    assert chosen.tried == (said,)


async def test_monty_is_taken_without_a_probe_and_last_in_line_for_full_python() -> None:
    assert await choose(Wanted("python", ["monty"]), Machine()) == Chosen(tier="monty")
    full = await choose(Wanted("python", ["bubblewrap", "docker", "monty"], network=True), Machine())
    assert (full.tier, len(full.tried), full.network) == ("monty", 2, False)


def test_docker_is_started_with_nothing_it_need_not_have(tmp_path: Path) -> None:
    chosen = Chosen(tier="docker", image="python:3.13")
    tier = tier_of(chosen, Machine(docker="/usr/bin/docker", env={"HOME": "/h"}), run="4f2k")
    assert tier is not None
    start = tier.start(Folders(tmp_path / 'a,"b"', tmp_path / "own"))
    words = " ".join(start.argv)
    for needed in (
        "--network none", "--cap-drop ALL", "--pids-limit 256", "--memory 2g", "--label moot.run=4f2k", "--read-only",
        "--pull never", "no-new-privileges", f"--user {os.getuid()}:{os.getgid()}",
    ):  # fmt: skip
        assert needed in words
    assert f'type=bind,"src={tmp_path}/a,""b""",dst=/workspace' in start.argv
    assert start.env == {"HOME": "/h"}
    assert start.clean_up[:3] == ("/usr/bin/docker", "rm", "--force")
    opened = tier_of(chosen.model_copy(update={"network": True}), Machine(docker="/usr/bin/docker"))
    assert opened is not None
    assert "--network bridge" in " ".join(opened.start(Folders(tmp_path)).argv)


async def test_containers_that_nobody_is_behind_are_removed_and_others_stay(tmp_path: Path) -> None:
    host = os.uname().nodename
    rows = [f"ours 4f2k {host}:{os.getpid()}", f"dead other {host}:999999999", f"alive other {host}:{os.getpid()}",
            "far other elsewhere:1", "odd other nothing"]  # fmt: skip
    listed = "\n".join(f"echo '{row}'" for row in rows)
    script = f'if [ "$1" = ps ]; then\n{listed}\nelse echo "$@" > {tmp_path}/asked; fi'
    docker = Docker(program(tmp_path / "docker", script), "python:3.13", run="4f2k")
    assert await docker.remove_orphans() == 2
    assert (tmp_path / "asked").read_text() == "rm --force ours dead\n"
    assert await Docker(str(tmp_path / "none"), "python:3.13").remove_orphans() == 0


async def test_bubblewrap_shows_no_folder_that_holds_more_than_python(monkeypatch: pytest.MonkeyPatch) -> None:
    tier = tier_of(Chosen(tier="bubblewrap"), MACHINE)
    assert tier is not None
    monkeypatch.setattr("sys.prefix", os.path.expanduser("~"))
    with pytest.raises(ToolFailed, match="where more lies than may be shown to code"):
        tier.start(Folders(Path("files")))


async def test_an_open_network_is_the_only_way_out_of_bubblewrap(tmp_path: Path) -> None:
    closed, opened = (tier_of(Chosen(tier="bubblewrap", network=network), MACHINE) for network in (False, True))
    assert closed is not None
    assert opened is not None
    argvs = [tier.start(Folders(tmp_path)) for tier in (closed, opened)]
    assert ["--share-net" in start.argv for start in argvs] == [False, True]
    assert [any("resolv.conf" in word for word in start.argv) for start in argvs] == [
        False,
        os.path.exists("/etc/resolv.conf"),
    ]
    for start in argvs:
        for fd in start.files:
            os.close(fd)
