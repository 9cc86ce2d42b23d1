"""supervised: a supervisor sends the members of a team, one at a time; what the last turn brought decides on the next.

START → coordinate → search_first → plan → supervise ⇄ researcher, coder, browser, members of one's own → report → END

Only `supervise` leads to `report`, and `report` only to END: so the reporter writes once, and last, whatever a
supervisor says. Who is next is patterns/supervise.py's business, a member's turn patterns/turns.py's.
"""

import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from moot.patterns.background import FirstLook, look_first
from moot.patterns.coordinate import ask_back, coordinator, settle
from moot.patterns.examined import Desk
from moot.patterns.judge import judge
from moot.patterns.members import LeftOut, Member, left_out, taking_part, with_orders
from moot.patterns.options import SupervisedOptions
from moot.patterns.plan import Made, one_a_round
from moot.patterns.repair import mender
from moot.patterns.report import Findings, outcome_of, reporter, write_report
from moot.patterns.review import estimate_of, review_plan
from moot.patterns.routes import Exchange, Route
from moot.patterns.supervise import REPORTER, Stopped
from moot.patterns.supervising import next_turn, supervisor, tell_left_out, tell_of_tier
from moot.patterns.team import Given, Outcome, Team
from moot.patterns.team_plan import TeamWish, make_team_plan, team_planner
from moot.patterns.team_rules import TeamSituation, obey_team
from moot.patterns.turns import Site, crew, results_of, take_turn
from moot.run.graph import END, START, Graph, Node, Runtime
from moot.run.run import Run
from moot.values.questions import PlanReview
from moot.values.runs import Ending
from moot.values.turns import MemberTurn

# state


class Undertaking(TypedDict):
    """What a run of this team knows. A field is replaced, unless it says how it folds."""

    given: Given
    options: SupervisedOptions
    members: Annotated[list[Member], operator.add]
    """Of this run, the reporter last; given at the start, and never changed."""
    locale: str
    topic: str
    route: Route | None
    exchanges: Annotated[list[Exchange], operator.add]
    look: FirstLook | None
    plans: Annotated[list[Made], one_a_round]
    decision: str
    remark: str
    """What a person wants changed of the plan; `` once it was planned again."""
    turns: Annotated[list[MemberTurn], operator.add]
    next: str
    """The last choice: a member's node, or `report`."""
    note: str
    second_look: bool
    """True once an early FINISH was questioned."""
    stopped: Stopped
    """Why no further turn is taken."""
    report: str
    ending: Ending | None


Changes = Mapping[str, Any]  # fields of an Undertaking, as LangGraph takes them

# agents

COORDINATOR = coordinator("research/coordinator")
PLANNER = team_planner("supervised/planner")
DEEP_PLANNER = replace(PLANNER, tier="strong")
SUPERVISOR = supervisor("supervised/supervisor")
CREW = crew("supervised/researcher", "supervised/coder", "supervised/browser")
RESEARCHER, CODER, BROWSER = CREW
REPORTER_AGENT = reporter("supervised/reporter")
MENDER = mender("research/repair")
JUDGE = judge("research/judge")

# nodes


async def coordinate(state: Undertaking, runtime: Runtime[Run]) -> Changes:
    settled = await settle(
        COORDINATOR, runtime.context, state["given"], exchanges=state["exchanges"], rounds_left=_questions_left(state)
    )
    if settled.route.how == "hand_off":
        tell_left_out(runtime.context, state["options"].left_out, settled.locale)
    return {"route": settled.route, "locale": settled.locale, "topic": settled.topic}


async def clarify(state: Undertaking, runtime: Runtime[Run]) -> Changes:
    assert state["route"] is not None
    return {"exchanges": [await ask_back(runtime.context, state["route"])]}


async def search_first(state: Undertaking, runtime: Runtime[Run]) -> Changes:
    results = state["options"].max_search_results
    look = await look_first(
        runtime.context, state["topic"], locale=state["locale"], tools=RESEARCHER.tools, max_results=results
    )
    return {"look": look}


async def plan(state: Undertaking, runtime: Runtime[Run]) -> Changes:
    remark, plans = state["remark"], state["plans"]
    wish = TeamWish(
        given=state["given"], topic=state["topic"], locale=state["locale"], members=state["members"],
        max_steps=state["options"].max_steps, exchanges=state["exchanges"], look=state["look"],
        last_plan=plans[-1].plan if remark else None, remark=remark,
    )  # fmt: skip
    agent = DEEP_PLANNER if state["options"].deep_thinking else PLANNER
    if not plans:
        tell_of_tier(runtime.context, agent, state["locale"])
    made = await make_team_plan(agent, runtime.context, wish)
    return {"plans": [made], "remark": ""}


async def review(state: Undertaking, runtime: Runtime[Run]) -> Changes:
    run, made = runtime.context, state["plans"][-1]
    estimate = estimate_of(run, RESEARCHER, made.plan)
    shown = PlanReview(round=1, rounds=1, plan=made.plan, repairs=made.repairs, estimate=estimate)
    own = TeamSituation(state["locale"], state["topic"], state["members"], by_person=True)
    decided = await review_plan(run, shown, obey=lambda replaced: obey_team(replaced, own))
    changes = {"decision": decided.decision, "remark": decided.remark}
    if decided.decision != "replace":
        return changes
    replaced = made.model_copy(update={"plan": decided.plan, "repairs": ()})
    return {**changes, "plans": [replaced], "locale": decided.plan.locale}


async def supervise(state: Undertaking, runtime: Runtime[Run]) -> Changes:
    decided = await next_turn(SUPERVISOR, runtime.context, _site(state), second_look=state["second_look"])
    return {
        "next": decided.next if decided.next in _names(state) else "report",
        "note": decided.note, "second_look": decided.second_look, "stopped": decided.stopped,
    }  # fmt: skip


def turn_of(name: str) -> Node:
    """The node of one member."""

    async def turn(state: Undertaking, runtime: Runtime[Run]) -> Changes:
        member = next(one for one in state["members"] if one.name == name)
        return {"turns": [await take_turn(CREW, runtime.context, member, site=_site(state))]}

    return turn


async def report(state: Undertaking, runtime: Runtime[Run]) -> Changes:
    made, tier = state["plans"][-1].plan, state["members"][-1].tier
    findings = Findings(
        given=state["given"], topic=state["topic"], locale=state["locale"], look=state["look"], plans=[made],
        results=results_of(_site(state), state["stopped"]), brief=made.steps[-1].description,
    )  # fmt: skip
    desk = Desk(replace(REPORTER_AGENT, tier=tier), MENDER, JUDGE)
    written = await write_report(desk, runtime.context, findings=findings)
    return {"report": written.sha256, "ending": written.ending}


# choosers


def routed(state: Undertaking) -> str:
    assert state["route"] is not None
    match state["route"].how:
        case "reply" | "refuse":
            return END
        case "ask":
            return "clarify"
        case "hand_off":
            return "search_first" if state["options"].search_first else "plan"


def planned(state: Undertaking) -> str:
    given = state["given"]
    shown = state["options"].review and not (given.auto_accept or given.nobody_there)
    return "review" if shown else "supervise"


def reviewed(state: Undertaking) -> str:
    match state["decision"]:
        case "edit":
            return "plan"
        case "refuse":
            return END
        case _:
            return "supervise"


def supervised(state: Undertaking) -> str:
    return state["next"]


# what a node needs of the state


def _questions_left(state: Undertaking) -> int:
    asked, most = len(state["exchanges"]), state["options"].max_clarification_rounds
    return 0 if state["given"].nobody_there else max(0, most - asked)


def _names(state: Undertaking) -> list[str]:
    """Those who work: all but the reporter."""
    return [member.name for member in state["members"] if member.name != REPORTER]


def _site(state: Undertaking) -> Site:
    working = [member for member in state["members"] if member.name != REPORTER]
    return Site(
        state["given"], state["options"], state["topic"], state["locale"], state["plans"][-1].plan, working,
        state["turns"], state["note"],
    )  # fmt: skip


# the team


def members(options: SupervisedOptions) -> tuple[Member, ...]:
    """Who takes part in a run: the reporter last."""
    out = {one.name for one in options.left_out}
    return tuple(member for member in taking_part(options.members, options.who) if member.name not in out)


def settled(options: SupervisedOptions, missing: Mapping[str, str]) -> SupervisedOptions:
    """The options that every walk of a run goes by. Raises SettingWrong for a member who cannot take part."""
    read = options.model_copy(update={"members": with_orders(options.members)})
    out: tuple[LeftOut, ...] = left_out(taking_part(read.members, read.who), missing)
    return read.model_copy(update={"left_out": out})


def begin(given: Given, options: SupervisedOptions) -> Undertaking:
    """The first state of a run."""
    return Undertaking(
        given=given, options=options, members=list(members(options)), locale=given.locale, topic="", route=None,
        exchanges=[], look=None, plans=[], decision="", remark="", turns=[], next="", note="", second_look=False,
        stopped="", report="", ending=None,
    )  # fmt: skip


def outcome(state: Undertaking) -> Outcome:
    """How a run ended, by its last state."""
    made = state["plans"][-1].plan if state["plans"] else None
    return outcome_of(state["route"], state["ending"], report=state["report"], plan=made, locale=state["locale"])


def draw(*names: str) -> Graph[Undertaking]:
    """Every node and every edge of the team whose members have these names: a node for each, but the reporter's."""
    graph = Graph(Undertaking)
    working = [name for name in names if name != REPORTER]
    for node in (coordinate, clarify, search_first, plan, review, supervise, report):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "coordinate")
    graph.add_conditional_edges("coordinate", routed, [END, "clarify", "search_first", "plan"])
    graph.add_edge("clarify", "coordinate")
    graph.add_edge("search_first", "plan")
    graph.add_conditional_edges("plan", planned, ["review", "supervise"])
    graph.add_conditional_edges("review", reviewed, ["plan", "supervise", END])
    graph.add_conditional_edges("supervise", supervised, [*working, "report"])
    for name in working:
        graph.add_node(name, turn_of(name))
        graph.add_edge(name, "supervise")
    graph.add_edge("report", END)
    return graph


TEAM = Team(
    name="supervised",
    summary=(
        "A supervisor sends members who look up, compute and browse, one at a time, and reports once, at the end.",
        "由主管逐个派出负责查阅、计算与浏览的成员，最后写一份报告。",
    ),
    options=SupervisedOptions, draw=draw, begin=begin, outcome=outcome, style="executive", members=members,
    settle=settled,
)  # fmt: skip
