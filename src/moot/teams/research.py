"""research, the default team: a plan that a person may change, steps side by side, a report that rests on exact words.

START → coordinate → background → plan → review → wave ⇄ investigate, process → plan again, or report → END

A node acts, through a pattern of `patterns/`; a chooser chooses; the last block draws every edge. What a step's worker
does is patterns/workers.py's business, how a report is written and checked patterns/report.py's.
"""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from moot.patterns.background import FirstLook, look_first
from moot.patterns.coordinate import ask_back, coordinator, settle
from moot.patterns.examined import Desk
from moot.patterns.judge import judge
from moot.patterns.options import ResearchOptions
from moot.patterns.plan import Made, Wish, make_plan, one_a_round, planner
from moot.patterns.plan_rules import Situation, obey
from moot.patterns.repair import mender
from moot.patterns.report import Findings, outcome_of, reporter, write_report
from moot.patterns.review import estimate_of, review_plan
from moot.patterns.rounds import Round, open_wave, sent_to
from moot.patterns.routes import Exchange, Route
from moot.patterns.team import Given, Outcome, Team
from moot.patterns.waves import in_plan_order, next_wave
from moot.patterns.workers import Errand, coder, processing_step, research_step, researcher
from moot.run.graph import END, START, Graph, Runtime, Send
from moot.run.run import Run
from moot.values.plans import StepResult
from moot.values.questions import PlanReview
from moot.values.runs import Ending

# state


class Inquiry(TypedDict):
    """What a run of this team knows. A field is replaced, unless it says how it folds."""

    given: Given
    options: ResearchOptions
    locale: str
    topic: str
    route: Route | None
    exchanges: Annotated[list[Exchange], operator.add]
    look: FirstLook | None
    plans: Annotated[list[Made], one_a_round]
    """The one last accepted is exactly the one that runs."""
    decision: str
    remark: str
    """What a person wants changed of the last plan; `` once it was planned again."""
    later: bool
    """True when later plans are accepted too."""
    waves: int
    doing: str
    """Of a worker's own state: the step it was sent."""
    results: Annotated[list[StepResult], in_plan_order]
    may_go_on: bool
    """True while another round may be planned: there is budget, and nobody wants the report now."""
    report: str
    ending: Ending | None


Changes = Mapping[str, Any]  # fields of an Inquiry, as LangGraph takes them

# agents

COORDINATOR = coordinator("research/coordinator")
PLANNER = planner("research/planner")
DEEP_PLANNER = replace(PLANNER, tier="strong")
RESEARCHER = researcher("research/researcher")
CODER = coder("research/coder")
REPORTER = reporter("research/reporter")
MENDER = mender("research/repair")
JUDGE = judge("research/judge")
DESK = Desk(REPORTER, MENDER, JUDGE)

# nodes


async def coordinate(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    settled = await settle(
        COORDINATOR, runtime.context, state["given"], exchanges=state["exchanges"], rounds_left=_questions_left(state)
    )
    return {"route": settled.route, "locale": settled.locale, "topic": settled.topic}


async def clarify(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    assert state["route"] is not None
    return {"exchanges": [await ask_back(runtime.context, state["route"])]}


async def background(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    results = state["options"].max_search_results
    look = await look_first(
        runtime.context, state["topic"], locale=state["locale"], tools=RESEARCHER.tools, max_results=results
    )
    return {"look": look}


async def plan(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    options, plans, remark = state["options"], state["plans"], state["remark"]
    wish = Wish(
        given=state["given"], topic=state["topic"], locale=state["locale"],
        round=len(plans) if remark else len(plans) + 1, rounds=options.max_plan_iterations,
        max_steps=options.max_step_num, exchanges=state["exchanges"], look=state["look"], results=state["results"],
        last_plan=plans[-1].plan if remark else None, remark=remark,
    )  # fmt: skip
    made = await make_plan(DEEP_PLANNER if options.deep_thinking else PLANNER, runtime.context, wish)
    return {"plans": [made], "remark": ""}


async def review(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    run, made = runtime.context, state["plans"][-1]
    shown = PlanReview(
        round=made.round, rounds=state["options"].max_plan_iterations, plan=made.plan, repairs=made.repairs,
        estimate=estimate_of(run, RESEARCHER, made.plan),
    )  # fmt: skip
    documents = bool(state["given"].resources)
    own = Situation(made.plan.locale, state["topic"], made.round, documents=documents, by_person=True)
    decided = await review_plan(run, shown, obey=lambda replaced: obey(replaced, own))
    changes = {"decision": decided.decision, "remark": decided.remark, "later": decided.later}
    if decided.decision != "replace":
        return changes
    replaced = made.model_copy(update={"plan": decided.plan, "repairs": ()})
    return {**changes, "plans": [replaced], "locale": decided.plan.locale}


async def wave(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    opened = await open_wave(runtime.context, _round(state), n=state["waves"] + 1, planner=PLANNER)
    waves = state["waves"] + 1 if opened.begins else 0
    return {"results": opened.skipped, "may_go_on": opened.may_go_on, "waves": waves}


async def investigate(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    return {"results": [await research_step(RESEARCHER, runtime.context, _errand(state))]}


async def process(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    return {"results": [await processing_step(CODER, runtime.context, _errand(state))]}


async def report(state: Inquiry, runtime: Runtime[Run]) -> Changes:
    findings = Findings(
        given=state["given"], topic=state["topic"], locale=state["locale"], look=state["look"],
        plans=[made.plan for made in state["plans"]], results=state["results"],
    )  # fmt: skip
    written = await write_report(DESK, runtime.context, findings=findings)
    return {"report": written.sha256, "ending": written.ending}


# choosers


def routed(state: Inquiry) -> str:
    assert state["route"] is not None
    match state["route"].how:
        case "reply" | "refuse":
            return END
        case "ask":
            return "clarify"
        case "hand_off":
            return "background" if state["options"].enable_background else "plan"


def planned(state: Inquiry) -> str:
    made = state["plans"][-1].plan
    if made.has_enough_context or not made.steps:
        return "report"
    given = state["given"]
    return "wave" if given.auto_accept or given.nobody_there or state["later"] else "review"


def reviewed(state: Inquiry) -> str:
    match state["decision"]:
        case "edit":
            return "plan"
        case "refuse":
            return END if state["plans"][-1].round == 1 else "report"
        case _:
            return "wave"


def waved(state: Inquiry) -> str | Sequence[Send]:
    now = _round(state)
    ready = next_wave(now.plan, now.results).ready
    if ready:
        return [
            Send("process" if step.step_type == "processing" else "investigate", {**state, "doing": step.id})
            for step in ready
        ]
    return "plan" if state["may_go_on"] else "report"


# what a node needs of the state


def _questions_left(state: Inquiry) -> int:
    asked, most = len(state["exchanges"]), state["options"].max_clarification_rounds
    return 0 if state["given"].nobody_there else max(0, most - asked)


def _round(state: Inquiry) -> Round:
    made = state["plans"][-1]
    return Round(made.plan, state["results"], made.round, state["options"].max_plan_iterations, state["locale"])


def _errand(state: Inquiry) -> Errand:
    now = _round(state)
    step = next(step for step in now.plan.steps if step.id == state["doing"])
    return Errand(step, sent_to(step, now), state["given"], state["options"], state["topic"], state["locale"])


# the team


def begin(given: Given, options: ResearchOptions) -> Inquiry:
    """The first state of a run."""
    return Inquiry(
        given=given, options=options, locale=given.locale, topic="", route=None, exchanges=[], look=None, plans=[],
        decision="", remark="", later=False, waves=0, doing="", results=[], may_go_on=True, report="", ending=None,
    )  # fmt: skip


def outcome(state: Inquiry) -> Outcome:
    """How a run ended, by its last state."""
    plan = state["plans"][-1].plan if state["plans"] else None
    return outcome_of(state["route"], state["ending"], report=state["report"], plan=plan, locale=state["locale"])


def draw() -> Graph[Inquiry]:
    """Every node and every edge of the team."""
    graph = Graph(Inquiry)
    for node in (coordinate, clarify, background, plan, review, wave, investigate, process, report):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "coordinate")
    graph.add_conditional_edges("coordinate", routed, [END, "clarify", "background", "plan"])
    graph.add_edge("clarify", "coordinate")
    graph.add_edge("background", "plan")
    graph.add_conditional_edges("plan", planned, ["report", "wave", "review"])
    graph.add_conditional_edges("review", reviewed, ["plan", "wave", END, "report"])
    graph.add_conditional_edges("wave", waved, ["investigate", "process", "plan", "report"])
    graph.add_edge("investigate", "wave")
    graph.add_edge("process", "wave")
    graph.add_edge("report", END)
    return graph


TEAM = Team(
    name="research",
    summary=(
        "Plans, searches and reads side by side, and reports with the exact words each sentence rests on.",
        "先规划，再并行检索与阅读，最后写出每句话都指向原文的报告。",
    ),
    options=ResearchOptions, draw=draw, begin=begin, outcome=outcome,
)  # fmt: skip
