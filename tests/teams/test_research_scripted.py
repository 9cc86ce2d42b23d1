"""The default team with a scripted model: the spec's cases and figures, and a model that does not do its work."""

import pytest
from pydantic import JsonValue

from moot.models.port import Profile
from moot.models.scripted import Line, Wanted, says
from moot.patterns.options import ResearchOptions
from moot.text.marks import mark_of
from moot.values.events import Planned, Reported, Routed, StepEnded, StepStarted, Wave
from tests.teams.conftest import MakeTeam, Team
from tests.teams.lines import (
    HOW_HIGH,
    LIGHTHOUSES,
    found,
    hand_off,
    mark,
    nothing,
    plans,
    processing,
    report,
    research,
    three_steps,
)

ONE_ROUND = ResearchOptions(max_plan_iterations=1)


async def by(make_team: MakeTeam, lines: list[Line], **options: int | bool) -> Team:
    """A team that has walked, over the lighthouses."""
    team = await make_team(lines, files=LIGHTHOUSES)
    await team.ask(HOW_HIGH, options=ResearchOptions.model_validate({"max_plan_iterations": 1, **options}))
    return team


# figures


async def test_three_steps_of_three_calls_take_twelve_model_calls(make_team: MakeTeam) -> None:
    team = await by(make_team, three_steps())
    assert team.model is not None
    team.model.assert_done()
    assert len(team.model.requests) == 12
    assert team.last["ending"] == "done"
    assert "Audit: 3 of 3 factual sentences verified (100 %)" in await team.report()


async def test_a_second_round_that_has_enough_takes_one_call_more(make_team: MakeTeam) -> None:
    team = await by(make_team, three_steps(again=[plans(enough=True)]), max_plan_iterations=2)
    assert len(team.roles) == 13
    assert [plan.has_enough_context for plan in team.plans] == [False, True]


async def test_steps_of_a_wave_are_at_work_together(make_team: MakeTeam) -> None:
    team = await by(make_team, three_steps(delay_s=0.02))
    told = [body for body in await team.told() if isinstance(body, StepStarted | StepEnded)]
    assert [isinstance(body, StepStarted) for body in told[:3]] == [True, True, True]


async def test_never_more_steps_at_once_than_allowed_and_results_in_plan_order(make_team: MakeTeam) -> None:
    steps = [research(f"Lighthouse {n}") for n in (1, 2, 3, 4, 5)]
    files = ["one.md", "two.md", "three.md", "one.md", "two.md"]
    slow_first = [line for n, file in enumerate(files, 1) for line in found(f"1.{n}", file, delay_s=(5 - n) * 0.02)]
    lines = [hand_off(), plans(*steps), *slow_first, report(*LIGHTHOUSES)]
    team = await by(make_team, lines, max_step_num=5, max_parallel_steps=2)
    at_work, most = 0, 0
    for body in await team.told():
        at_work += isinstance(body, StepStarted) - isinstance(body, StepEnded)
        most = max(most, at_work)
    assert most == 2
    assert [result.id for result in team.last["results"]] == ["1.1", "1.2", "1.3", "1.4", "1.5"]


async def test_the_report_is_the_same_whoever_was_faster(
    make_team: MakeTeam, tmp_path_factory: pytest.TempPathFactory
) -> None:
    steps = [research(f"Lighthouse {n}") for n in (1, 2, 3)]
    slow_first = [
        line for n, file in enumerate(LIGHTHOUSES, 1) for line in found(f"1.{n}", file, delay_s=(4 - n) * 0.03)
    ]
    team = await by(make_team, [hand_off(), plans(*steps), *slow_first, report(*LIGHTHOUSES)])
    ended = [body.id for body in await team.told() if isinstance(body, StepEnded)]
    assert ended == ["1.3", "1.2", "1.1"]
    assert [source.mark for result in team.last["results"] for source in result.sources] == [
        mark(file) for file in LIGHTHOUSES
    ]


# coordinator


@pytest.mark.parametrize(
    "said",
    [
        '<tool_call>{"name": "handoff_to_planner", "arguments": {"research_topic": "lighthouses", "locale": "en-US"}}',
        '```json\n{"decision": "hand off", "research_topic": "lighthouses"}\n```',
    ],
)
async def test_a_decision_written_as_text_is_recovered(make_team: MakeTeam, said: str) -> None:
    lines = [Line(role="coordinator", text=said), *three_steps()[1:]]
    team = await by(make_team, lines)
    (routed,) = [body for body in await team.told() if isinstance(body, Routed)]
    assert (routed.how, routed.topic, routed.by) == ("hand off", "lighthouses", "model")


async def test_prose_with_no_decision_twice_is_handed_off_by_the_understudy(make_team: MakeTeam) -> None:
    prose = Line(role="coordinator", text="What a nice question about lighthouses.", times=2)
    team = await by(make_team, [prose, *three_steps()[1:]])
    (routed,) = [body for body in await team.told() if isinstance(body, Routed)]
    assert (routed.how, routed.topic, routed.by) == ("hand off", HOW_HIGH, "understudy")


async def test_small_talk_that_a_model_hands_off_is_answered(make_team: MakeTeam) -> None:
    team = await make_team([hand_off("hello")], files=LIGHTHOUSES)
    assert (await team.ask("hello")).ending == "replied"


async def test_an_answer_from_memory_is_handed_off(make_team: MakeTeam) -> None:
    lines = [says({"how": "reply", "text": "Paris."}, "coordinator"), plans(research("Capital")), *nothing("1.1")]
    team = await make_team(lines, files=LIGHTHOUSES)
    outcome = await team.ask("What is the capital of France?", options=ONE_ROUND)
    assert outcome.ending == "nothing_found"
    assert "Paris" not in await team.report()


async def test_a_locale_of_another_script_than_the_question_loses(make_team: MakeTeam) -> None:
    team = await make_team([hand_off("灯塔", "en-US"), *three_steps()[1:]], files=LIGHTHOUSES)
    await team.ask("这些灯塔有多高？", options=ONE_ROUND)
    assert team.last["locale"] == "zh-CN"


# planner


@pytest.mark.parametrize("said", ['{"research_topic": "x", "locale": "en-US"}', "I would look at the history first."])
async def test_what_is_no_plan_twice_is_planned_by_the_understudy(make_team: MakeTeam, said: str) -> None:
    lines = [hand_off(HOW_HIGH), Line(role="planner", text=said, times=2), *found("1.1", "one.md"), report("one.md")]
    team = await by(make_team, lines)
    (planned,) = [body for body in await team.told() if isinstance(body, Planned)]
    assert planned.by == "understudy"
    assert [step.title for step in planned.plan.steps] == [HOW_HIGH]
    assert team.last["ending"] == "done"


async def test_a_plan_with_no_step_left_is_asked_for_once_more(make_team: MakeTeam) -> None:
    lines = [hand_off(HOW_HIGH), plans({}), plans({}), *found("1.1", "one.md"), report("one.md")]
    team = await by(make_team, lines)
    assert team.roles.count("planner") == 2
    (planned,) = [body for body in await team.told() if isinstance(body, Planned)]
    assert planned.by == "understudy"
    assert "1 empty step dropped" in planned.repairs


async def test_one_round_calls_the_planner_once(make_team: MakeTeam) -> None:
    team = await by(make_team, three_steps())
    assert team.roles.count("planner") == 1


async def test_a_model_that_never_has_enough_plans_as_often_as_there_are_rounds(make_team: MakeTeam) -> None:
    rounds = [
        line
        for number in (1, 2, 3)
        for line in (
            plans(research(f"Look {number}")),
            *found(f"{number}.1", ["one.md", "two.md", "three.md"][number - 1]),
        )
    ]
    team = await by(make_team, [hand_off(), *rounds, report(*LIGHTHOUSES)], max_plan_iterations=3)
    assert team.roles.count("planner") == 3
    assert [step.id for plan in team.plans for step in plan.steps] == ["1.1", "2.1", "3.1"]


async def test_a_title_that_failed_is_not_planned_again(make_team: MakeTeam) -> None:
    again = plans(research("Lighthouse 2"))
    lines = [
        hand_off(), plans(research("Lighthouse 1"), research("Lighthouse 2")), *found("1.1", "one.md"), *nothing("1.2"),
        again, again, report("one.md"),
    ]  # fmt: skip
    team = await by(make_team, lines, max_plan_iterations=3)
    assert team.roles.count("planner") == 3  # the second plan was asked for once more
    assert team.plans[1].steps == ()
    assert team.last["ending"] == "partial"


# workers


async def test_a_step_that_finds_nothing_leaves_the_others_and_is_a_gap(make_team: MakeTeam) -> None:
    steps = [research(f"Lighthouse {n}") for n in (1, 2, 3)]
    lines = [
        hand_off(), plans(*steps), *found("1.1", "one.md"), *nothing("1.2"), *found("1.3", "three.md"),
        report("one.md", "three.md"),
    ]  # fmt: skip
    team = await by(make_team, lines)
    assert await team.steps() == {"1.1": ("done", ""), "1.2": ("empty", ""), "1.3": ("done", "")}
    assert team.last["ending"] == "partial"
    assert "1.2 Lighthouse 2: nothing was found" in await team.report()


async def test_claims_with_no_known_mark_are_nothing(make_team: MakeTeam) -> None:
    finding: dict[str, JsonValue] = {"claims": [{"text": "The moon is 12,345 km away.", "marks": ["S0000.1"]}]}
    lines = [
        hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md")[:2],
        Line(role="researcher", turn=3, value=finding),
    ]  # fmt: skip
    team = await by(make_team, lines)
    assert await team.steps() == {"1.1": ("empty", "")}
    assert team.last["ending"] == "nothing_found"
    assert "12,345" not in await team.report()


async def test_prose_with_figures_and_no_tool_call_is_nothing(make_team: MakeTeam) -> None:
    prose = Line(role="researcher", text="The lighthouses are 12,345 m high, as everybody knows.", times=None)
    team = await by(make_team, [hand_off(), plans(research("Lighthouse 1")), prose, report("one.md")])
    assert team.roles.count("reporter") <= 1
    assert "12,345" not in await team.report()
    assert (await team.steps())["1.1"][0] in ("empty", "done")


async def test_an_empty_reply_twice_gives_the_understudys_finding(make_team: MakeTeam) -> None:
    empty = Line(role="researcher", text="", times=2)
    team = await by(make_team, [hand_off(), plans(research("the first lighthouse")), empty, report("one.md")])
    (ended,) = [body for body in await team.told() if isinstance(body, StepEnded)]
    assert (ended.status, ended.by) == ("done", "understudy")


async def test_words_that_look_like_markup_are_kept_byte_for_byte(make_team: MakeTeam) -> None:
    odd = "[Source](u) says {} and {{ x }}: the first lighthouse is 40 m high."
    finding: dict[str, JsonValue] = {"claims": [{"text": odd, "marks": [f"{mark('one.md')}.1"]}], "conclusion": odd}
    lines = [
        hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md")[:2],
        Line(role="researcher", turn=3, value=finding), report("one.md"),
    ]  # fmt: skip
    team = await by(make_team, lines)
    assert team.last["results"][0].finding.claims[0].text == odd
    assert odd in team.model.requests[-1].words if team.model else False


async def test_a_processing_step_sees_what_it_needs_and_is_done_by_code(make_team: MakeTeam) -> None:
    lines = [
        hand_off(), plans(research("Lighthouse 1"), processing("Double it")), *found("1.1", "one.md"),
        Line(role="coder", holds=LIGHTHOUSES["one.md"], turn=1, calls=says_python("print(40 * 2)")),
        Line(role="coder", turn=2, value={"text": "80 m.", "values": [{"name": "double", "value": "80", "unit": "m"}]}),
        report("one.md"),
    ]  # fmt: skip
    team = await by(make_team, lines)
    assert await team.steps() == {"1.1": ("done", ""), "1.2": ("done", "")}
    waves = [body.steps for body in await team.told() if isinstance(body, Wave)]
    assert waves == [("1.1",), ("1.2",)]


async def test_a_model_that_calls_no_tools_words_what_the_program_read_and_computed_for_it(make_team: MakeTeam) -> None:
    text, calc = LIGHTHOUSES["one.md"], mark_of("calc:process#1/1")
    finding: dict[str, JsonValue] = {"claims": [{"text": text, "marks": [f"{mark('one.md')}.1"]}]}
    lines = [
        hand_off(), plans(research(text), processing("What is 17 * 23?")),
        Line(role="researcher", holds=text, value=finding),
        Line(role="coder", holds="391", value={"text": f"It is 391 [{calc}.1]."}), report("one.md"),
    ]  # fmt: skip
    team = await make_team(lines, files=LIGHTHOUSES, profile=Profile(tools="none"))
    await team.ask(HOW_HIGH, options=ONE_ROUND)
    assert team.model is not None
    team.model.assert_done()
    assert await team.steps() == {"1.1": ("done", ""), "1.2": ("done", "")}
    ended = [body for body in await team.told() if isinstance(body, StepEnded)]
    assert [(one.by, one.notes) for one in ended] == [("model", ("prefetched",))] * 2


async def test_with_no_claim_no_reporter_is_asked(make_team: MakeTeam) -> None:
    team = await by(make_team, [hand_off(), plans(research("Lighthouse 1")), *nothing("1.1")])
    assert "reporter" not in team.roles
    assert team.last["ending"] == "nothing_found"


# report


async def test_math_code_and_braces_stand_unchanged_in_the_report(make_team: MakeTeam) -> None:
    body = 'What does $\\frac{a}{b}$ mean for {x}?\n\n```json\n{"a": 1}\n```'
    said = f"# Lighthouses\n\n## Findings\n\n> “{LIGHTHOUSES['one.md']}” [{mark('one.md')}.1]\n\n{body}\n"
    lines = [hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md"), Line(role="reporter", text=said)]
    team = await by(make_team, lines)
    text = await team.report()
    assert "$\\frac{a}{b}$" in text
    assert '```json\n{"a": 1}\n```' in text
    assert "{x}" in text


async def test_a_sentence_that_fails_is_mended_once(make_team: MakeTeam) -> None:
    wrong = "The tallest lighthouse of the whole world stands somewhere in Arabia."
    draft = f"# L\n\n## Findings\n\n> “{LIGHTHOUSES['one.md']}” [{mark('one.md')}.1]\n\n{wrong}\n"
    mended: dict[str, JsonValue] = {"sentences": [{"number": 2, "text": ""}]}
    lines = [
        hand_off(), plans(research("Lighthouse 1")), *found("1.1", "one.md"), Line(role="reporter", text=draft),
        says(mended, "reporter"),
    ]  # fmt: skip
    team = await by(make_team, lines)
    assert team.model is not None
    team.model.assert_done()
    text = await team.report()
    assert wrong not in text
    assert "Audit: 1 of 1 factual sentence verified" in text


async def test_findings_larger_than_the_window_keep_two_claims_a_step_and_the_report_says_so(
    make_team: MakeTeam,
) -> None:
    steps = [research(f"Lighthouse {n}") for n in (1, 2, 3)]
    lines = [hand_off(), plans(*steps)]
    for n, file in enumerate(LIGHTHOUSES, 1):
        claims: list[JsonValue] = [
            {"text": f"Claim {n}-{m} " + "of the coast " * 40, "marks": [f"{mark(file)}.1"]} for m in range(12)
        ]
        finding = Line(role="researcher", holds=f"Your step 1.{n}:", turn=3, value={"claims": claims})
        lines += [*found(f"1.{n}", file)[:2], finding]
    team = await make_team([*lines, report(*LIGHTHOUSES)], files=LIGHTHOUSES, profile=Profile(window=9_500))
    await team.ask(HOW_HIGH, options=ONE_ROUND)
    assert team.model is not None
    asked = team.model.requests[-1]
    assert asked.role == "reporter"
    told = [[m for m in range(12) if f"Claim {n}-{m} " in asked.words] for n in (1, 2, 3)]
    assert all(2 <= len(kept) < 12 for kept in told)
    left_out = 36 - sum(len(kept) for kept in told)
    assert f"{left_out} weaker claims were left out" in await team.report()


async def test_the_report_is_told_with_its_hash_and_audit(make_team: MakeTeam) -> None:
    team = await by(make_team, three_steps())
    (reported,) = [body for body in await team.told() if isinstance(body, Reported)]
    assert reported.sha256 == team.last["report"]
    assert (reported.citations, reported.style, reported.by) == (3, "academic", "model")


def says_python(code: str) -> tuple[Wanted, ...]:
    return (Wanted(name="python", args={"code": code}),)
