"""The researcher without a model on CPython's own language reference: 17 of 20 answers quoted, 8 of 8 refused."""

from pathlib import Path

from moot.agents.loop import work
from moot.app.parts import tools
from moot.evidence.store import Store
from moot.patterns.understudies.planner import first_plan
from moot.run.doors import Doors
from moot.teams.research import RESEARCHER
from moot.web.documents import open_documents
from tests.conftest import MakeRun

QUESTIONS = (
    ("What does the with statement do?", "used to wrap the execution of a block"),
    ("How is a format string replacement field written?", "surrounded by curly braces"),
    ("How does Python find a module when it is imported?", "find a module, loading and initializing it if necessary"),
    ("What is a formatted string literal?", "in its prefix is a"),
    (
        "What is the precedence of the power operator and unary minus?",
        "binds more tightly than unary operators on its left",
    ),
    ("Are dict keys kept in insertion order?", "insertion order"),
    ("What is the difference between global and nonlocal?", "statement causes the listed identifiers to refer to"),
    ("What does del do to a name?", "removes the binding of that name"),
    ("How do you make an object callable?", '"__call__()" method'),
    ("How are integers of unlimited size represented?", "numbers in an unlimited range"),
    ("How are lambda expressions evaluated?", "yields a function object"),
    ("What is the result of division by zero?", 'raises the "ZeroDivisionError"'),
    ("Which values are considered false in a truth test?", "considered true unless its class defines either"),
    ("What is the scope of names in a class block?", "limited to the class block"),
    ("How do decorators on a function definition work?", "may be wrapped by one or more"),
    ("What is the matrix multiplication operator?", "intended to be used for matrix multiplication"),
    (
        "What does the assert statement do when optimization is requested?",
        "emits no code for an assert statement when optimization is requested",
    ),
    ("What does continue do in a loop?", "next cycle of the nearest enclosing loop"),
    ('What is the difference between "is" and "==" for objects?', "test for an object’s identity"),
    (
        "In which order are the elements of a list display evaluated?",
        "elements are evaluated from left to right",
    ),
)
UNANSWERABLE = (
    "What is the capital of France?",
    "Who invented Python and in which year?",
    "How much does a kilogram of copper cost today?",
    "How does the Rust borrow checker work?",
    "Compare the GDP of Japan and Germany",
    "How is a class in school organised?",
    "What statement did the minister issue?",
    "作为40岁的男人，如何减肥？",
)
RIGHT = 17


async def test_answers_are_quoted_and_what_is_not_there_is_not(
    make_run: MakeRun, doors: Doors, store: Store, tmp_path: Path
) -> None:
    documents = await open_documents(["python"], home=tmp_path, store=store, run="testrun000")
    opened = Doors(
        models=doors.models, prompts=doors.prompts, store=store, tools=tools(), documents=documents,
        sources=("docs://python",),
    )  # fmt: skip
    everything = [*(question for question, _ in QUESTIONS), *UNANSWERABLE]

    async def quotes(question: str) -> str:
        found: list[str] = []
        run = await make_run(doors=opened, run_id=f"q{everything.index(question):09d}")
        for step in first_plan(question, topic=question, locale="en-US", most=3).steps:
            worked = await work(
                RESEARCHER, run, question=question, topic=question, locale="en-US", step=step, first_asked="",
                resources=opened.sources, links=(), needed="", earlier=[], results=(), max_search_results=5,
            )  # fmt: skip
            found += [claim.text for claim in worked.output.claims]
        return "\n".join(found)

    missed = [question for question, words in QUESTIONS if words not in await quotes(question)]
    answered = [question for question in UNANSWERABLE if await quotes(question)]
    await documents.close()
    assert answered == []
    assert len(QUESTIONS) - len(missed) >= RIGHT, missed
