"""Who is next, whatever a supervisor says: each rule by itself, and 10,000 supervisors that misbehave at random."""

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from pydantic import JsonValue

from moot.patterns.supervise import (
    FINISH,
    Board,
    Bounds,
    Chosen,
    Stopped,
    Taken,
    decide,
    named,
    read_choice,
)
from moot.values.plans import StepStatus

ALL = ("researcher", "coder", "browser")
Turn = Callable[[Taken], Taken]


def board(steps: str, turns: list[Taken] | None = None, *, max_turns: int = 8, members: tuple[str, ...] = ALL) -> Board:
    """A board whose steps are named by their members' first letters."""
    whole = {name[0]: name for name in ALL}
    return Board(members, tuple(whole[letter] for letter in steps.split()), turns or [], Bounds(max_turns))


def took(member: str, step: int | None, status: StepStatus = "done", *, new: bool = True, by: str = "model") -> Taken:
    return Taken(member, step, status, "model" if by == "model" else "understudy", new)


# binding a member to a step, and closing it


def test_a_member_works_on_its_first_open_step_even_if_an_earlier_one_of_another_is_open() -> None:
    assert board("r c c").step_of("coder") == 2
    assert board("r c c", [took("coder", 2)]).step_of("coder") == 3
    assert board("r c").step_of("browser") is None


@pytest.mark.parametrize(
    ("turns", "standing"),
    [
        ([took("researcher", 1)], "done"),
        ([took("researcher", 1, "empty", new=False)], "open"),
        ([took("researcher", 1, "empty", new=False)] * 2, "empty"),
        ([took("researcher", 1, "empty"), took("researcher", 1, "failed")], "failed"),
        ([took("researcher", 1, "failed"), took("researcher", 1)], "done"),
        ([took("researcher", 1, "empty", by="understudy")], "empty"),
    ],
)
def test_a_step_is_closed_when_done_or_tried_often_enough(turns: list[Taken], standing: str) -> None:
    assert board("r", turns).standing() == (standing,)


# who is available


def test_members_without_a_step_are_available_while_extra_turns_are_left_and_bring_something() -> None:
    assert board("r").available == ALL
    assert board("r", [took("researcher", 1)]).available == ALL
    once_in_vain = [took("researcher", 1), took("coder", None, new=False)]
    assert board("r", once_in_vain).available == ("researcher", "browser")
    twice = [took("researcher", 1), took("coder", None), took("browser", None)]
    assert board("r", twice).available == ()
    assert board("r", twice).over == "nobody"


def test_a_member_with_an_open_step_is_available_even_after_a_turn_in_vain() -> None:
    assert board("r r", [took("researcher", 1, "empty", new=False)]).available == ALL


def test_turns_are_counted() -> None:
    assert board("r r", [took("researcher", 1)], max_turns=1).over == "turns"


# reading a choice


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("researcher", "researcher"), ("Researcher", "researcher"), (" RESEARCHER ", "researcher"),
        ("研究员", "researcher"), ("程序员", "coder"), ("浏览器", "browser"), ("报告员", "reporter"),
        ("Data-Analyst", "data_analyst"), ("data analyst", "data_analyst"),
        ("finish", FINISH), ("END", FINISH), ("__end__", FINISH), ("DONE", FINISH), ("FINISH", FINISH),
    ],
)  # fmt: skip
def test_a_name_is_read_as_meant(word: str, meant: str) -> None:
    assert named(word) == meant


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ({"next": "Researcher", "why": "x"}, {"next": "researcher", "note": ""}),
        ({"next": "finish"}, {"next": FINISH, "note": ""}),
        ({"next": "reporter", "note": None}, {"next": FINISH, "note": ""}),
        ({"next": "coder", "note": "n" * 900}, {"next": "coder", "note": "n" * 500}),
    ],
)
def test_a_choice_is_read_and_what_is_beside_it_dropped(raw: JsonValue, read: JsonValue) -> None:
    assert read_choice(raw, ("researcher", "coder")) == read


@pytest.mark.parametrize("raw", [{}, None, "researcher", ["researcher"], [], {"next": "browser"}, {"next": 3}, 7])
def test_what_is_no_choice_names_the_closed_set(raw: JsonValue) -> None:
    with pytest.raises(ValueError, match="one of researcher, coder, reporter, FINISH is wanted"):
        read_choice(raw, ("researcher", "coder"))


# whole runs of scripted supervisors


@dataclass
class Play:
    """A run in memory: a supervisor's replies, and what each turn brings. Counts what would be paid."""

    board: Board
    says: Iterator[JsonValue]
    brings: Callable[[str, int | None], Taken]
    calls: int = 0
    reports: int = 0
    second_look: bool = False
    told_open: list[tuple[int, ...]] = field(default_factory=list)
    stopped: Stopped = ""

    async def ask(self, left: tuple[int, ...]) -> Chosen:
        """Two replies at most, as a model is asked; then the understudy."""
        if left:
            self.told_open.append(left)
        for _ in range(2):
            self.calls += 1
            try:
                read = read_choice(next(self.says), self.board.available)
            except ValueError:
                continue
            assert isinstance(read, dict)
            return Chosen(str(read["next"]))
        return Chosen(self.board.first, by="understudy")

    async def go(self) -> "Play":
        while True:
            decided = await decide(self.board, self.ask, second_look=self.second_look)
            self.second_look = decided.second_look
            if decided.next == FINISH:
                self.reports += 1
                self.stopped = decided.stopped
                return self
            turn = self.brings(decided.next, self.board.step_of(decided.next))
            self.board = replace(self.board, turns=[*self.board.turns, turn])

    @property
    def turns(self) -> list[tuple[str, int | None]]:
        return [(turn.member, turn.step) for turn in self.board.turns]


def always(*choices: JsonValue) -> Iterator[JsonValue]:
    """These replies, the last of them for ever."""
    yield from choices
    while True:
        yield choices[-1]


def to(name: str) -> JsonValue:
    return {"next": name}


async def test_each_answer_alike_brings_one_extra_turn_and_no_third() -> None:
    first: list[None] = []

    def alike(member: str, step: int | None) -> Taken:
        first.append(None)
        return took(member, step, new=len(first) == 1)

    play = await Play(board("r"), always(to("researcher")), alike).go()
    assert (play.turns, play.calls, play.reports) == ([("researcher", 1), ("researcher", None)], 4, 1)


async def test_each_turn_with_a_new_mark_is_asked_for_until_extra_turns_are_spent() -> None:
    play = await Play(board("r"), always(to("researcher")), took).go()
    assert (len(play.turns), play.calls, play.reports, play.stopped) == (3, 3, 1, "nobody")


async def test_finish_at_once_is_questioned_once_and_then_obeyed() -> None:
    play = await Play(board("r c"), always(to(FINISH)), took).go()
    assert (play.turns, play.calls, play.told_open, play.stopped) == ([], 2, [(1, 2)], "finished_early")


async def test_the_reporter_too_early_is_questioned_naming_what_is_open() -> None:
    play = await Play(board("r c"), always(to("researcher"), to("reporter")), took).go()
    assert (len(play.turns), play.told_open, play.stopped) == (1, [(2,)], "finished_early")


async def test_finding_nothing_is_tried_twice_and_never_a_third_time() -> None:
    def nothing(member: str, step: int | None) -> Taken:
        found = member == "coder"
        return took(member, step, "done" if found else "empty", new=found)

    play = await Play(board("r c"), always(to("researcher")), nothing).go()
    assert play.turns == [("researcher", 1), ("researcher", 1), ("coder", 2)]
    assert (play.calls, play.board.standing(), play.reports) == (6, ("empty", "done"), 1)


async def test_the_coder_may_be_chosen_first_and_the_step_before_stays_open() -> None:
    play = Play(board("r c"), always(to("coder"), to(FINISH)), took)
    await play.go()
    assert (play.turns, play.board.standing()) == ([("coder", 2)], ("open", "done"))


async def test_one_turn_at_most_is_one_turn_and_one_call() -> None:
    play = await Play(board("r c", max_turns=1), always(to("researcher")), took).go()
    assert (len(play.turns), play.calls, play.stopped) == (1, 1, "turns")


async def test_two_replies_that_are_none_let_the_understudy_choose() -> None:
    play = await Play(board("r"), always({}, {}, to(FINISH)), took).go()
    assert (play.turns, play.calls) == ([("researcher", 1)], 3)


async def test_a_run_that_is_stopped_asks_nobody() -> None:
    play = Play(board("r c"), always(to("researcher")), took)
    decided = await decide(play.board, play.ask, second_look=False, stopped="budget")
    assert (decided.next, decided.stopped, play.calls) == (FINISH, "budget", 0)


def test_ten_thousand_supervisors_that_misbehave_all_end_within_their_limits() -> None:
    async def all_of_them() -> None:
        for seed in range(10_000):
            await _misbehaves(random.Random(seed))

    asyncio.run(all_of_them())


async def _misbehaves(chance: random.Random) -> None:
    members = ALL[: chance.randint(1, 3)]
    steps = tuple(chance.choice(members) for _ in range(chance.randint(0, 12)))
    bounds = Bounds(chance.randint(1, 50), chance.randint(1, 3), chance.randint(0, 10))
    words = [*members, "Researcher", "nobody", "reporter", "finish", "END", "FINISH", "browser", ""]
    odd: list[JsonValue] = [None, {}, [], ["coder"], "prose", 3, {"next": None}, {"next": ["coder"]}]
    weight = chance.random()

    def says() -> Iterator[JsonValue]:
        while True:
            yield chance.choice(odd) if chance.random() < weight else {"next": chance.choice(words), "note": 1}

    def brings(member: str, step: int | None) -> Taken:
        status: StepStatus = chance.choice(("done", "empty", "failed"))
        by = chance.choice(("model", "understudy"))
        return took(member, step, status, new=chance.random() < weight, by=by)

    start = Board(members, steps, [], bounds)
    play = await Play(start, says(), brings).go()
    extra = [turn for turn in play.board.turns if turn.step is None]
    assert len(play.turns) <= bounds.max_turns
    assert len(extra) <= bounds.max_extra_turns
    assert play.calls <= 2 * (bounds.max_turns + 2)
    assert play.reports == 1
    assert all(play.turns.count((steps[n - 1], n)) <= bounds.max_attempts for n in range(1, len(steps) + 1))
