"""task: gets something done: a plan is worked off step by step, and the report tells what was done and what not.

START → create_initial_plan → review → work_step ⇄ replan → report → END          (mode plan)
START → create_initial_plan → review → work_plan → report → END                   (mode solo)
START → work_alone → report → END                                                 (mode direct)

How a step is worked is patterns/task/steps.py's business, what becomes of a plan planning.py's, the report report.py's.
"""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from moot.patterns.gaps import declined
from moot.patterns.task import solo
from moot.patterns.task.agents import (
    FILES,
    GENERAL_TOOLS,
    LOOKING_UP,
    SWE_STEPS,
    Able,
    able,
    executing_agent,
    planning_agent,
    replanning_agent,
    reporting_agent,
)
from moot.patterns.task.planning import Wish, make_plan, plan_again
from moot.patterns.task.planning import review as review_plan
from moot.patterns.task.report import Achievements, TaskReport, write_report
from moot.patterns.task.shapes import MOST_REMARKS, MOST_REPLANS, StepOutcome, TaskOptions, Tracked
from moot.patterns.task.steps import Undertaking, attempted
from moot.patterns.task.steps import work_step as work_one
from moot.patterns.team import Given, Outcome, Team
from moot.patterns.understudies.task import title_of
from moot.run.graph import END, START, Graph, Runtime
from moot.run.run import Run
from moot.text.language import detect_locale, requested_locale
from moot.values.tracked import TrackedPlan, TrackedStep

# state


class Task(TypedDict):
    """What a run of this team knows. A field is replaced, unless it says how it folds."""

    given: Given
    options: TaskOptions
    locale: str
    executors: Able | None
    """Those whose tools can be had in this run."""
    plan: TrackedPlan | None
    answer: str
    """The planner's own, when nothing is to be done."""
    decision: str
    remark: str
    remarks: int
    results: Annotated[list[StepOutcome], operator.add]
    tracker: Annotated[list[Tracked], operator.add]
    replans: int
    report: TaskReport | None


Changes = Mapping[str, Any]  # fields of a Task, as LangGraph takes them

# agents

PLANNER = planning_agent("task/planner")
GENERAL = executing_agent("general", "task/general", GENERAL_TOOLS)
SWE = executing_agent("swe", "task/swe", ("bash", "edit_file", *FILES, "python_full"), max_steps=SWE_STEPS)
BROWSER = replace(executing_agent("browser", "task/browser", ("browser", *LOOKING_UP)), tier="vision")
DATA = executing_agent("data", "task/data", ("python_full", *FILES))
PLANNING = replace(
    executing_agent("planning", "task/planning", (*GENERAL_TOOLS, "plan", "bash"), max_steps=SWE_STEPS), note=solo.note
)
REPLANNER = replanning_agent("task/replanner")
REPORTER = reporting_agent("task/reporter")
EXECUTORS = {agent.name: agent for agent in (GENERAL, SWE, BROWSER, DATA)}

# nodes


async def create_initial_plan(state: Task, runtime: Runtime[Run]) -> Changes:
    executors = state["executors"] or await able(runtime.context, tuple(EXECUTORS))
    wish = Wish(state["given"], state["locale"], executors.names, state["plan"], state["remark"])
    made = await make_plan(PLANNER, runtime.context, wish)
    return {"executors": executors, "plan": made.plan, "answer": made.answer, "remark": "", "decision": ""}


async def review(state: Task, runtime: Runtime[Run]) -> Changes:
    plan = _plan(state)
    if not state["options"].review or state["given"].auto_accept or state["given"].nobody_there:
        return {"decision": "accept"}
    decided = await review_plan(runtime.context, plan)
    again = decided.decision == "edit" and state["remarks"] < MOST_REMARKS
    return {
        "decision": decided.decision if again or decided.decision != "edit" else "accept",
        "plan": decided.plan, "remark": decided.remark, "remarks": state["remarks"] + again,
    }  # fmt: skip


async def work_step(state: Task, runtime: Runtime[Run]) -> Changes:
    stepped = await work_one(runtime.context, _undertaking(state))
    return {"plan": stepped.plan, "results": [stepped.outcome], "tracker": stepped.tracker}


async def replan(state: Task, runtime: Runtime[Run]) -> Changes:
    wish = Wish(state["given"], state["locale"], _able(state))
    plan = await plan_again(REPLANNER, runtime.context, _plan(state), wish=wish, results=state["results"])
    return {"plan": plan, "replans": state["replans"] + 1}


async def work_plan(state: Task, runtime: Runtime[Run]) -> Changes:
    agent = replace(PLANNING, tend=solo.tending(state["options"].pace))
    worked = await solo.work_whole(runtime.context, agent, _undertaking(state))
    return {"plan": worked.plan, "results": [worked.outcome], "tracker": worked.tracker}


async def work_alone(state: Task, runtime: Runtime[Run]) -> Changes:
    agent = EXECUTORS[state["options"].executor or GENERAL.name]
    request = state["given"].question
    plan = TrackedPlan(title=title_of(request), steps=(TrackedStep(text=" ".join(request.split())[:300]),))
    on = replace(_undertaking({**state, "plan": plan}), executors={agent.name: agent})
    outcome, tracker = await attempted(
        runtime.context, agent, on, index=0, text=request, position="the whole task; nothing follows"
    )
    return {"plan": plan.marked(0, outcome.status, outcome.note), "results": [outcome], "tracker": tracker}


async def report(state: Task, runtime: Runtime[Run]) -> Changes:
    if state["answer"]:
        return {"report": TaskReport(answer=state["answer"], ending="replied")}
    if state["decision"] == "refuse":
        return {"report": TaskReport(answer=declined(state["locale"]), ending="declined")}
    of = Achievements(state["given"], state["locale"], _plan(state), state["results"])
    return {"report": await write_report(REPORTER, runtime.context, of)}


# choosers


def by_mode(state: Task) -> str:
    options = state["options"]
    return "work_alone" if options.executor or options.mode == "direct" else "create_initial_plan"


def planned(state: Task) -> str:
    return "report" if state["answer"] else "review"


def reviewed(state: Task) -> str:
    match state["decision"]:
        case "edit":
            return "create_initial_plan"
        case "refuse":
            return "report"
        case _:
            return "work_plan" if state["options"].mode == "solo" else "work_step"


def after_step(state: Task) -> str:
    plan, last = _plan(state), state["results"][-1]
    if last.status == "in_progress":  # the budget is spent
        return "report"
    wanted = last.status == "blocked" or last.achieved.replan
    if wanted and state["replans"] < MOST_REPLANS:
        return "replan"
    return "report" if plan.current is None else "work_step"


def after_replan(state: Task) -> str:
    return "report" if _plan(state).current is None else "work_step"


# what a node needs of the state


def _plan(state: Task) -> TrackedPlan:
    assert state["plan"] is not None
    return state["plan"]


def _able(state: Task) -> Sequence[str]:
    return state["executors"].names if state["executors"] else tuple(EXECUTORS)


def _undertaking(state: Task) -> Undertaking:
    executors = {name: EXECUTORS[name] for name in _able(state)}
    asked = sum(one.tool == "ask_human" for one in state["tracker"])
    return Undertaking(state["given"], state["locale"], executors, _plan(state), state["results"], asked)


# the team


def begin(given: Given, options: TaskOptions) -> Task:
    """The first state of a run."""
    locale = given.locale or requested_locale(given.question) or detect_locale(given.question)
    return Task(
        given=given, options=options, locale=locale, executors=None, plan=None, answer="", decision="", remark="",
        remarks=0, results=[], tracker=[], replans=0, report=None,
    )  # fmt: skip


def outcome(state: Task) -> Outcome:
    """How a run ended, by its last state."""
    done = state["report"] or TaskReport(answer="", ending="declined")
    match done.ending:
        case "replied":
            return Outcome(status="finished", reason="answer", ending="replied", text=done.answer)
        case "declined":
            return Outcome(status="finished", reason="declined", ending="declined", text=done.answer)
        case "failed":
            return Outcome(status="failed", reason="no_step_done", ending="failed", report=done.sha256)
        case _:
            return Outcome(status="finished", reason="report", ending=done.ending, report=done.sha256)


def draw() -> Graph[Task]:
    """Every node and every edge of the team."""
    graph = Graph(Task)
    for node in (create_initial_plan, review, work_step, replan, work_plan, work_alone, report):
        graph.add_node(node.__name__, node)
    graph.add_conditional_edges(START, by_mode, ["create_initial_plan", "work_alone"])
    graph.add_conditional_edges("create_initial_plan", planned, ["report", "review"])
    graph.add_conditional_edges("review", reviewed, ["create_initial_plan", "work_step", "work_plan", "report"])
    graph.add_conditional_edges("work_step", after_step, ["replan", "work_step", "report"])
    graph.add_conditional_edges("replan", after_replan, ["work_step", "report"])
    graph.add_edge("work_plan", "report")
    graph.add_edge("work_alone", "report")
    graph.add_edge("report", END)
    return graph


TEAM = Team(
    name="task",
    summary=(
        "Gets something done: plans, works step by step with code, shell, files and browser, and tells what was done.",
        "交给它一件事：先规划，再用代码、命令行、文件和浏览器逐步完成，并说明完成了什么。",
    ),
    options=TaskOptions, draw=draw, begin=begin, outcome=outcome, needs_source=False, reviews=False,
)  # fmt: skip
