"""How a draft comes through its check, its repair and its judge, with scripted models."""

from typing import Any

from pydantic import JsonValue

from moot.models.scripted import Line, says
from moot.values.events import ClaimChecked, Contradicted
from tests.teams.conftest import MakeTeam, Team
from tests.teams.lines import HOW_HIGH, LIGHTHOUSES, found, hand_off, mark, plans, research
from tests.teams.test_research_scripted import ONE_ROUND

AT_ODDS = {
    "one.md": "The lighthouse of Skagen is 46 m high.",
    "two.md": "The lighthouse of Skagen is 52 m high.",
}
SKAGEN = "How high is the lighthouse of Skagen?"


def ground(*files: str) -> list[Line]:
    return [hand_off(), plans(*(research(f"Lighthouse {n}") for n in range(1, len(files) + 1)))] + [
        line for n, file in enumerate(files, 1) for line in found(f"1.{n}", file)
    ]


def drafted(text: str) -> Line:
    return Line(role="reporter", text=f"# Lighthouses\n\n## Findings\n\n{text}\n")


def gives(*sentences: tuple[int, str]) -> Line:
    back: list[JsonValue] = [{"number": number, "text": text} for number, text in sentences]
    return says({"sentences": back}, "reporter")


async def walked(make_team: MakeTeam, lines: list[Line], files: dict[str, str], **given: Any) -> Team:
    team = await make_team(lines, files=files)
    await team.ask(SKAGEN if files is AT_ODDS else HOW_HIGH, options=ONE_ROUND, **given)
    return team


async def statuses(team: Team) -> list[tuple[str, str]]:
    return [(one.claim, one.status) for one in await team.told() if isinstance(one, ClaimChecked)]


async def test_only_the_failing_sentence_is_mended_and_checked_again(make_team: MakeTeam) -> None:
    right, wrong = f"{LIGHTHOUSES['one.md'][:-1]} [{mark('one.md')}.1].", f"It is 45 m high [{mark('one.md')}.1]."
    lines = [
        *ground("one.md"),
        drafted(f"{right} {wrong}"),
        gives((1, "Other."), (2, f"It is 40 m high [{mark('one.md')}.1].")),
    ]
    team = await walked(make_team, lines, LIGHTHOUSES)
    assert [status for _, status in await statuses(team)] == ["verified", "verified"]
    assert "Other." not in await team.report()


async def test_a_sentence_given_back_makes_no_heading_and_cites_nothing_it_was_not_shown(make_team: MakeTeam) -> None:
    wrong = f"The first lighthouse is 45 m high [{mark('one.md')}.1]."
    back = f"## Big\n\nThe second lighthouse is 50 m high [{mark('two.md')}.1]."
    lines = [*ground("one.md", "two.md"), drafted(wrong), gives((1, back))]
    team = await walked(make_team, lines, LIGHTHOUSES)
    assert [status for _, status in await statuses(team)] == ["uncited"]
    assert "## Big" not in await team.report()
    assert team.last["ending"] == "partial"


async def test_without_rounds_of_repair_nothing_is_mended_and_a_run_of_unsupported_claims_is_partial(
    make_team: MakeTeam,
) -> None:
    lines = [*ground("one.md"), drafted(f"The first lighthouse is 45 m high [{mark('one.md')}.1].")]
    team = await walked(make_team, lines, LIGHTHOUSES, repair=0)
    assert [status for _, status in await statuses(team)] == ["unsupported"]
    assert team.last["ending"] == "partial"


async def test_two_rounds_mend_what_one_did_not(make_team: MakeTeam) -> None:
    at = f"[{mark('one.md')}.1]"
    lines = [
        *ground("one.md"), drafted(f"The first lighthouse is 45 m high {at}."),
        gives((1, f"The first lighthouse is 44 m high {at}.")), gives((1, f"The first lighthouse is 40 m high {at}.")),
    ]  # fmt: skip
    team = await walked(make_team, lines, LIGHTHOUSES, repair=2)
    assert [status for _, status in await statuses(team)] == ["verified"]


async def test_when_nobody_can_mend_a_sentence_gets_the_passage_that_bears_it(make_team: MakeTeam) -> None:
    uncited = LIGHTHOUSES["one.md"]
    broken = Line(role="reporter", error="auth", times=None)
    team = await walked(
        make_team,
        [*ground("one.md"), drafted(f"{uncited} The second keeper lives alone in Norway."), broken],
        LIGHTHOUSES,
    )
    assert dict(await statuses(team)) == {uncited: "verified", "The second keeper lives alone in Norway.": "uncited"}


async def test_the_writer_is_told_of_contradictions_and_a_hidden_side_is_mended(make_team: MakeTeam) -> None:
    one, two = (f"{AT_ODDS[file][:-1]} [{mark(file)}.1]." for file in AT_ODDS)
    lines = [
        hand_off(), plans(research("Skagen 1"), research("Skagen 2")),
        *(line for n, file in enumerate(AT_ODDS, 1) for line in found_at(f"1.{n}", file)),
        drafted(two), gives((1, f"{two} {one}")),
    ]  # fmt: skip
    team = await walked(make_team, lines, AT_ODDS)
    assert team.model is not None
    told = " ".join(message.text for message in team.model.requests[-2].messages)
    assert "Where sources do not agree" in told
    assert [status for _, status in await statuses(team)] == ["verified", "verified"]
    (at_odds,) = [one for one in await team.told() if isinstance(one, Contradicted)]
    assert (at_odds.relation, set(at_odds.quotes)) == ("contradiction", set(AT_ODDS.values()))
    assert "## Contradictions\n\n- They contradict each other: Skagen" in await team.report()


async def test_without_a_model_both_sides_stand_side_by_side(make_team: MakeTeam) -> None:
    far = "The lighthouse of Skagen is 52 m high, and its lamp is seen from ships far out at sea on every clear night."
    team = await make_team(None, files={**AT_ODDS, "two.md": far})
    await team.ask(SKAGEN, options=ONE_ROUND)
    report = await team.report()
    assert all(f"> “{words}”" in report for words in (AT_ODDS["one.md"], far))
    assert "## Contradictions\n\n- They contradict each other: Skagen" in report
    assert "one_sided" not in report


def found_at(step: str, file: str) -> list[Line]:
    return [
        Line.model_validate_json(line.model_dump_json().replace(LIGHTHOUSES[file], AT_ODDS[file]))
        for line in found(step, file)
    ]


TOLD_ZH = "第一座灯塔高40米。"


def in_chinese(*, claim: str = TOLD_ZH) -> list[Line]:
    lines = [hand_off(locale="zh-CN"), *ground("one.md")[1:]]
    return [*lines, drafted(f"{claim[:-1]} [{mark('one.md')}.1]。")]


def verdict(said: str, span: str, *, number: int = 1) -> Line:
    return says({"verdicts": [{"number": number, "verdict": said, "span": span}]}, "judge")


async def test_a_judge_reads_what_is_in_another_language_and_is_counted(make_team: MakeTeam) -> None:
    team = await walked(make_team, [*in_chinese(), verdict("verified", "is 40 m high")], LIGHTHOUSES)
    assert [status for _, status in await statuses(team)] == ["verified"]
    assert "1 sentence judged by a model" in await team.report()
    assert team.model is not None
    team.model.assert_done()


async def test_a_judge_that_makes_up_its_span_is_not_heard(make_team: MakeTeam) -> None:
    for lie in (
        verdict("verified", "is 41 m high"),
        verdict("verified", ""),
        verdict("verified", "is 40 m high", number=9),
    ):
        team = await make_team([*in_chinese(), lie], files=LIGHTHOUSES, anew=True)
        await team.ask(HOW_HIGH, options=ONE_ROUND)
        assert [status for _, status in await statuses(team)] == ["weak"]
        assert "no model judge" in await team.report()


async def test_a_judge_is_not_asked_of_what_a_hard_test_found_wrong(make_team: MakeTeam) -> None:
    lines = in_chinese(claim="第一座灯塔高45米。")
    team = await walked(make_team, lines, LIGHTHOUSES, repair=0, judge="all")
    assert [status for _, status in await statuses(team)] == ["unsupported"]
    assert "judge" not in team.roles


async def test_no_judge_is_asked_when_it_is_off(make_team: MakeTeam) -> None:
    team = await walked(make_team, in_chinese(), LIGHTHOUSES, judge="off")
    assert [status for _, status in await statuses(team)] == ["weak"]
    assert "judge" not in team.roles


async def test_a_judge_may_lower_what_the_tests_let_pass(make_team: MakeTeam) -> None:
    right = f"{LIGHTHOUSES['one.md'][:-1]} [{mark('one.md')}.1]."
    lines = [*ground("one.md"), drafted(right), verdict("unsupported", "was built in 1820")]
    team = await walked(make_team, lines, LIGHTHOUSES, judge="all")
    assert "⟨not supported: judged, “was built in 1820”⟩" in await team.report()
    assert "1 sentence judged by a model" in await team.report()
