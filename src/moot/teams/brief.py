"""brief: a topic in, a sourced report out. Sub-questions, links, ranking, reading page by page, one checked report.

START → keywords → decompose → rank → browse → conduct → END; decompose may go back to itself when a person reviews it

A node acts, through `patterns/brief/`; a chooser chooses; the last block draws every edge. Each stage gives the Report
it was given with its own part added, and leaves it in the run's short-term memory.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from moot.patterns.brief.agents import Crew, decomposer, digester, keyworder, merger, ranker, writer
from moot.patterns.brief.collecting import Assignment, assignment, look_around, rank_links
from moot.patterns.brief.collecting import decompose as decomposed
from moot.patterns.brief.options import BriefOptions
from moot.patterns.brief.reading import browse as browsed
from moot.patterns.brief.reviewing import questions_of, review_questions
from moot.patterns.brief.values import Report, Searched
from moot.patterns.brief.writing import conduct as conducted
from moot.patterns.examined import Desk
from moot.patterns.folds import replaced
from moot.patterns.gaps import declined
from moot.patterns.judge import judge
from moot.patterns.memory import Memory, message
from moot.patterns.repair import mender
from moot.patterns.review import Decision
from moot.patterns.team import Given, Outcome, Team
from moot.run.graph import END, START, Graph, Runtime
from moot.run.run import Run
from moot.values.evidence import Unread
from moot.values.runs import Ending

# state


class Brief(TypedDict):
    """What a run of this team knows."""

    given: Given
    options: BriefOptions
    locale: str
    topic: str
    keywords: Annotated[list[str], replaced]
    background: Annotated[list[Searched], replaced]
    """What the keywords found."""
    questions: Annotated[list[str], replaced]
    decision: Decision | None
    """What a person said of the questions; None when nobody was asked."""
    remark: str
    remarks: int
    candidates: Annotated[list[Searched], replaced]
    """What each question found."""
    report: Report
    memory: Memory
    """The Report as each stage left it."""
    unread: Annotated[list[Unread], replaced]
    sha256: str
    ending: Ending | None


Changes = Mapping[str, Any]  # fields of a Brief, as LangGraph takes them

# agents

KEYWORDER = keyworder("brief/keyworder")
DECOMPOSER = decomposer("brief/decomposer")
RANKER = ranker("brief/ranker")
DIGESTER = digester("brief/digester")
MERGER = merger("brief/merge")
WRITER = writer("brief/writer")
MENDER = mender("research/repair", "writer")
JUDGE = judge("research/judge")
CREW = Crew(KEYWORDER, DECOMPOSER, RANKER, DIGESTER, MERGER, Desk(WRITER, MENDER, JUDGE))

# nodes


async def keywords(state: Brief, runtime: Runtime[Run]) -> Changes:
    looked = await look_around(CREW, runtime.context, _assignment(state))
    return {"keywords": list(looked.keywords), "background": looked.background}


async def decompose(state: Brief, runtime: Runtime[Run]) -> Changes:
    run, on = runtime.context, _assignment(state)
    split = await decomposed(
        CREW, run, on, background=state["background"], last=state["questions"], remark=state["remark"]
    )
    changes: dict[str, object] = {"questions": list(split.questions), "decision": None, "remark": ""}
    if not _is_reviewed(state):
        return changes
    review = await review_questions(run, on, split.questions, remarks=state["remarks"])
    changes |= {"decision": review.decision, "remark": review.remark}
    if review.decision == "replace":
        changes["questions"] = questions_of(review.plan)
    return {**changes, "remarks": state["remarks"] + (review.decision == "edit")}


async def rank(state: Brief, runtime: Runtime[Run]) -> Changes:
    linked = await rank_links(CREW, runtime.context, _assignment(state), questions=state["questions"])
    searched = (*state["background"], *linked.candidates)
    report = state["report"].model_copy(update={"links": linked.links, "searched": searched})
    return {"candidates": linked.candidates, **_remembered(state, report, by="rank")}


async def browse(state: Brief, runtime: Runtime[Run]) -> Changes:
    report = await browsed(CREW, runtime.context, _assignment(state), report=state["report"])
    return {"unread": list(report.unread), **_remembered(state, report, by="browse")}


async def conduct(state: Brief, runtime: Runtime[Run]) -> Changes:
    done = await conducted(CREW, runtime.context, _assignment(state), report=state["report"])
    return {"sha256": done.sha256, "ending": done.ending, **_remembered(state, done.report, by="conduct")}


# choosers


def reviewed(state: Brief) -> str:
    match state["decision"]:
        case "edit":
            return "decompose"
        case "refuse":
            return END
        case _:
            return "rank"


def any_links(state: Brief) -> str:
    return "browse" if any(state["report"].links.values()) else "conduct"


# what a node needs of the state


def _assignment(state: Brief) -> Assignment:
    return Assignment(state["given"], state["options"], state["topic"], state["locale"])


def _is_reviewed(state: Brief) -> bool:
    given = state["given"]
    return state["options"].review and not (given.auto_accept or given.nobody_there)


def _remembered(state: Brief, report: Report, *, by: str) -> Changes:
    return {"report": report, "memory": state["memory"].with_message(message(report, sent_by=by))}


# the team


def begin(given: Given, options: BriefOptions) -> Brief:
    """The first state of a run."""
    on = assignment(given, options)
    return Brief(
        given=given, options=options, locale=on.locale, topic=on.topic, keywords=[], background=[], questions=[],
        decision=None, remark="", remarks=0, candidates=[], report=Report(topic=on.topic), memory=Memory(), unread=[],
        sha256="", ending=None,
    )  # fmt: skip


def outcome(state: Brief) -> Outcome:
    """How a run ended, by its last state."""
    ending = state["ending"]
    if ending is None:
        return Outcome(status="finished", reason="declined", ending="declined", text=declined(state["locale"]))
    saved_as = "" if ending == "nothing_found" else state["topic"]
    return Outcome(status="finished", reason="report", ending=ending, report=state["sha256"], saved_as=saved_as)


def draw() -> Graph[Brief]:
    """Every node and every edge of the team."""
    graph = Graph(Brief)
    for node in (keywords, decompose, rank, browse, conduct):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "keywords")
    graph.add_edge("keywords", "decompose")
    graph.add_conditional_edges("decompose", reviewed, ["rank", "decompose", END])
    graph.add_conditional_edges("rank", any_links, ["browse", "conduct"])
    graph.add_edge("browse", "conduct")
    graph.add_edge("conduct", END)
    return graph


TEAM = Team(
    name="brief",
    summary=(
        "A topic in, a sourced report out: sub-questions, ranked links, pages digested side by side.",
        "输入主题，得到有出处的报告：拆分子问题、排序链接、并行阅读并摘要网页。",
    ),
    options=BriefOptions, draw=draw, begin=begin, outcome=outcome, reviews=False,
)  # fmt: skip
