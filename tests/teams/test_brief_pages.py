"""The team brief: its cases from the reading of pages to the report, with scripted models and on understudies."""

import pytest
from pydantic import JsonValue

from moot.models.port import Profile
from moot.models.scripted import Line, says
from moot.patterns.brief.options import BriefOptions
from moot.teams.brief import TEAM
from moot.values.errors import SettingWrong
from moot.values.events import AgentEnded, PageUnread, Reviewed
from moot.values.plans import Plan, Step
from moot.values.questions import Accept, Edit, Refuse, Replace
from moot.values.role_events import Digested
from tests.teams.brief_lines import (
    COASTS,
    DOCUMENTS,
    QUESTIONS,
    TOPIC,
    address,
    digests,
    four_by_four,
    keywords,
    mark,
    questions,
    ranks,
    sentence,
    writes,
)
from tests.teams.briefs import ONE, brief_of, by, unreadable, without
from tests.teams.conftest import MakeTeam, Team

# reading


async def test_a_page_that_cannot_be_read_is_named_and_its_siblings_stay(make_team: MakeTeam) -> None:
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0, 1, 2))]
    lines += [digests("northern", n) for n in (1, 2, 3, 4)]
    lost = address("northern", 2)
    files = {name: DOCUMENTS[name] for name in list(DOCUMENTS)[:3]}
    lines += [writes(("northern", 1), ("northern", 3))]
    team = await make_team(lines, files=files, of=TEAM, change=lambda doors: unreadable(doors, lost))
    await team.ask(TOPIC, options=BriefOptions(questions=1, links_each=3))
    assert len(brief_of(team).summaries) == 2
    assert [(one.address, one.why) for one in team.last["unread"]] == [(lost, "the page is a wall")]
    assert [body.address for body in await team.told() if isinstance(body, PageUnread)] == [lost]
    assert "docs/northern2.md could not be read: the page is a wall" in await team.report()


@pytest.mark.parametrize(
    ("reply", "summaries"),
    [
        ("Not relevant", 0),
        ("NOT RELEVANT.", 0),
        ("不相关。", 0),
        (f"Not relevant in 2023, but since then it is 31 m high [{mark('northern', 1)}].", 1),
    ],
)
async def test_not_relevant_counts_only_as_a_whole_reply(make_team: MakeTeam, reply: str, summaries: int) -> None:
    free = [Line(role="writer", error="refused", times=None)]
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0,)), Line(role="digester", text=reply), *free]
    team = await by(make_team, lines, {"northern1.md": DOCUMENTS["northern1.md"]}, questions=1, links_each=1)
    assert len(brief_of(team).summaries) == summaries
    (digested,) = [body for body in await team.told() if isinstance(body, Digested)]
    assert digested.relevant == bool(summaries)


async def test_a_point_with_a_foreign_or_no_mark_is_dropped_and_counted(make_team: MakeTeam) -> None:
    points: JsonValue = [
        {"text": sentence("northern", 1), "marks": [mark("northern", 1)]},
        {"text": "It is 99 m high.", "marks": [mark("western", 1)]},
        {"text": "It is 98 m high.", "marks": []},
    ]
    digest = Line(role="digester", value={"relevant": True, "points": points})
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0,)), digest, writes(("northern", 1))]
    team = await by(make_team, lines, {"northern1.md": DOCUMENTS["northern1.md"]}, questions=1, links_each=1)
    (digested,) = [body for body in await team.told() if isinstance(body, Digested)]
    assert (digested.relevant, digested.dropped) == (True, 2)
    assert [summary.text for summary in brief_of(team).summaries] == [
        f"{sentence('northern', 1)} [{mark('northern', 1)}]"
    ]


async def test_a_digest_that_fails_for_good_is_the_understudys(make_team: MakeTeam) -> None:
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0,)), Line(role="digester", error="refused")]
    team = await by(make_team, [*lines, writes(("northern", 1))], questions=1, links_each=1)
    (digested,) = [body for body in await team.told() if isinstance(body, Digested)]
    assert (digested.relevant, digested.by) == (True, "understudy")


async def test_a_long_page_is_digested_in_parts_and_its_points_are_joined_in_page_order(make_team: MakeTeam) -> None:
    team = await by_keepers(make_team, keepers=40, points=1)
    said = [int(text.split()[1]) for text in brief_of(team).summaries[0].text.splitlines()]
    assert team.roles.count("digester") == len(said) > 1
    assert said == sorted(said)


async def test_more_than_twelve_points_of_a_page_are_joined_by_one_further_call(make_team: MakeTeam) -> None:
    merged: JsonValue = [point(n) for n in (1, 3)]
    joins = Line(role="digester", holds="Your points", value={"relevant": True, "points": merged})
    team = await by_keepers(make_team, joins, keepers=40, points=7)
    assert [text.split()[1] for text in brief_of(team).summaries[0].text.splitlines()] == ["1", "3"]
    assert team.model is not None
    asked = [request.words for request in team.model.requests if request.role == "digester"]
    assert ["Your points" in words for words in asked] == [False] * (len(asked) - 1) + [True]


async def by_keepers(make_team: MakeTeam, *more: Line, keepers: int, points: int) -> Team:
    """A brief over one long page of keepers; the digester gives the first so many of each part."""
    rows = [
        f"Keeper {n} of the northern lighthouse kept it for {n} years. {'It was cold. ' * 30}"
        for n in range(1, keepers + 1)
    ]
    said = [
        Line(
            role="digester",
            holds=f"Keeper {n} of",
            value={"relevant": True, "points": [point(n + k) for k in range(points)]},
        )
        for n in range(1, keepers + 1)
    ]
    lines = [keywords("northern"), questions("Which keepers of the northern lighthouse were there?"), *more, *said]
    lines += [Line(role="ranker", value={"order": [0]}), Line(role="writer", error="refused", times=None)]
    profile = Profile(window=4_096, max_output=512)
    team = await make_team(lines, files={"northern1.md": "\n\n".join(rows)}, of=TEAM, profile=profile)
    await team.ask(TOPIC, options=ONE)
    return team


def point(n: int) -> JsonValue:
    """A keeper's years."""
    own = mark("northern", 1).partition(".")[0]
    return {"text": f"Keeper {n} of the northern lighthouse kept it for {n} years.", "marks": [f"{own}.{n}"]}


async def test_braces_in_topic_and_page_are_passed_on_unchanged(make_team: MakeTeam) -> None:
    odd = "The {northern} lighthouse {{x}} is 31 m high {% raw %}."
    topic = "lighthouses {of} {{ four }} coasts"
    free = [Line(role=role, error="refused", times=None) for role in ("ranker", "writer")]
    digest = Line(
        role="digester",
        holds=(odd, topic),
        value={"relevant": True, "points": [{"text": odd, "marks": [mark("northern", 1)]}]},
    )
    team = await make_team(
        [keywords("northern"), questions(QUESTIONS[0]), *free, digest], files={"northern1.md": odd}, of=TEAM
    )
    await team.ask(topic, options=ONE)
    assert odd in await team.report()


# windows


async def test_a_window_that_holds_no_page_ends_the_run_before_a_call_is_made(make_team: MakeTeam) -> None:
    team = await make_team(four_by_four(), files=DOCUMENTS, of=TEAM, profile=Profile(window=2_000, max_output=1_000))
    with pytest.raises(SettingWrong, match=r"context_too_small: -?[\d,]+ of 2,000 tokens"):
        await team.ask(TOPIC)
    assert team.roles == []


async def test_points_beyond_the_writers_window_leave_one_a_page_and_the_report_says_so(make_team: MakeTeam) -> None:
    many: list[JsonValue] = [
        {"text": f"Point {n}: {sentence('northern', 1)} " + "And so on. " * 30, "marks": [mark("northern", 1)]}
        for n in range(12)
    ]
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0, 1))]
    lines += [
        Line(role="digester", holds=sentence("northern", 1), value={"relevant": True, "points": many}),
        digests("northern", 2),
        writes(("northern", 2)),
    ]
    files = {name: DOCUMENTS[name] for name in ("northern1.md", "northern2.md")}
    team = await make_team(lines, files=files, of=TEAM, profile=Profile(window=3_300, max_output=1_000))
    await team.ask(TOPIC, options=BriefOptions(questions=1, links_each=2))
    assert team.model is not None
    asked = team.model.requests[-1]
    told = [n for n in range(12) if f"Point {n}:" in asked.words]
    assert asked.role == "writer"
    assert told == list(range(len(told)))
    assert 1 <= len(told) < 12
    assert sentence("northern", 2) in asked.words
    assert f"{12 - len(told)} weaker points were left out" in await team.report()


# nothing


async def test_when_all_searches_are_empty_nothing_is_written_and_two_calls_were_made(make_team: MakeTeam) -> None:
    team = await by(make_team, [keywords("zzqx"), questions("What is zzqx?", "Who made zzqx?")])
    report = await team.report()
    assert team.last["ending"] == "nothing_found"
    assert team.roles == ["keyworder", "decomposer"]
    assert report.startswith(f"# Nothing found: {TOPIC}\n")
    assert "- What is zzqx?\n- Who made zzqx?" in report
    assert "- zzqx: 0 found\n- What is zzqx?: 0 found" in report


async def test_when_every_search_fails_the_report_gives_each_with_its_error(make_team: MakeTeam) -> None:
    team = await make_team(files=DOCUMENTS, of=TEAM, change=without)
    assert (await team.ask("x versus y")).ending == "nothing_found"
    assert "- x: 0 found (no engine answered)\n- y: 0 found (no engine answered)" in await team.report()


async def test_no_relevant_page_is_told_with_each_page_and_nothing_is_written(make_team: MakeTeam) -> None:
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0,)), Line(role="digester", text="irrelevant")]
    team = await by(make_team, lines, questions=1, links_each=1)
    assert team.last["ending"] == "nothing_found"
    assert "writer" not in team.roles
    assert "## Read, and not relevant" in await team.report()


async def test_an_unknown_thing_is_not_found_among_words_of_the_questions(make_team: MakeTeam) -> None:
    files = {"a.md": "The current state of the unknown is told by figures.", "b.md": "Limits and risks are unknown."}
    team = await make_team(files=files, of=TEAM)
    assert (await team.ask("zzqx qqqq")).ending == "nothing_found"


# a person


async def test_with_review_the_questions_wait_for_a_person(make_team: MakeTeam) -> None:
    team = await make_team(four_by_four(), files=DOCUMENTS, of=TEAM)
    await team.ask(TOPIC, options=BriefOptions(review=True), nobody_there=False)
    assert team.end is not None
    assert [step.description for step in team.end.waiting[0].body.plan.steps] == list(QUESTIONS)  # type: ignore[union-attr]  # a plan is shown
    outcome = await team.go_on(Accept())
    assert outcome.ending == "done"
    assert len(team.roles) == 23


async def test_a_remark_has_the_questions_made_again_three_times_at_most(make_team: MakeTeam) -> None:
    again = [Line(role="decomposer", holds=f"remark {n}", value={"questions": [f"Again {n}?"]}) for n in (1, 2, 3)]
    team = await make_team([keywords(), questions(), *again], files=DOCUMENTS, of=TEAM)
    await team.ask(TOPIC, options=BriefOptions(review=True), nobody_there=False)
    for n in (1, 2, 3):
        await team.go_on(Edit(text=f"remark {n}"))
    await team.go_on(Edit(text="remark 4"))
    assert team.end is not None
    asked = team.end.waiting[0].body
    assert asked.asked_again.startswith("They were changed three times.")  # type: ignore[union-attr]  # a plan is shown
    outcome = await team.go_on(Refuse())
    assert (outcome.ending, outcome.report) == ("declined", "")
    assert [body.decision for body in await team.told() if isinstance(body, Reviewed)] == ["edit"] * 4 + ["refuse"]


async def test_a_persons_own_questions_are_worked_on(make_team: MakeTeam) -> None:
    lines = [keywords(), questions(), ranks("northern", (0,)), Line(role="digester", text="irrelevant")]
    team = await make_team(lines, files=DOCUMENTS, of=TEAM)
    await team.ask(TOPIC, options=BriefOptions(review=True, links_each=1), nobody_there=False)
    await team.go_on(Replace(plan=Plan(steps=(Step(title=QUESTIONS[0]), Step()))))
    assert team.last["questions"] == [QUESTIONS[0]]


async def test_nobody_is_asked_where_nobody_is(make_team: MakeTeam) -> None:
    team = await make_team(four_by_four(), files=DOCUMENTS, of=TEAM)
    assert (await team.ask(TOPIC, options=BriefOptions(review=True))).ending == "done"


# the report


async def test_a_failing_sentence_goes_back_to_the_writer_once(make_team: MakeTeam) -> None:
    wrong = "The tallest lighthouse of the whole world stands somewhere in Arabia."
    draft = f"# L\n\n## H\n\n{sentence('northern', 1)[:-1]} [{mark('northern', 1)}].\n\n{wrong}\n"
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0,)), digests("northern", 1)]
    lines += [Line(role="writer", text=draft), says({"sentences": [{"number": 2, "text": ""}]}, "writer")]
    team = await by(make_team, lines, {"northern1.md": DOCUMENTS["northern1.md"]}, questions=1, links_each=1)
    assert team.model is not None
    team.model.assert_done()
    assert wrong not in await team.report()


async def test_a_report_is_cut_to_the_words_asked_for(make_team: MakeTeam) -> None:
    long = "\n\n".join(f"{sentence('northern', 1)[:-1]} [{mark('northern', 1)}]." for _ in range(40))
    lines = [keywords(), questions(QUESTIONS[0]), ranks("northern", (0,)), digests("northern", 1)]
    lines += [Line(role="writer", text=f"# L\n\n## H\n\n{long}\n")]
    team = await by(make_team, lines, {"northern1.md": DOCUMENTS["northern1.md"]}, questions=1, links_each=1, words=100)
    report = await team.report()
    assert team.model is not None
    assert "At most 100 words." in team.model.requests[-1].words
    assert "The report was shortened to what its evidence bears." in report
    assert report.count("Lighthouse 1 of the northern coast") < 10


async def test_with_a_model_for_no_role_every_role_is_told_as_an_understudys(make_team: MakeTeam) -> None:
    team = await make_team(files=DOCUMENTS, of=TEAM)
    await team.ask("northern lighthouses", options=ONE)
    assert {body.by for body in await team.told() if isinstance(body, AgentEnded)} == {"understudy"}
    assert team.last["ending"] == "done"


def test_the_default_options_are_the_forebears_shape() -> None:
    asked = BriefOptions()
    assert (asked.questions, asked.links_each, asked.parallel, asked.words) == (4, 4, 4, 2_000)
    assert COASTS
