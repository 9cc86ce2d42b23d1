"""Short-term memory: what was said, by kind, and what of it is news."""

from moot.patterns.memory import Memory, Message, message
from moot.values.plans import Plan, Step


def memory(*kinds: str) -> Memory:
    made = Memory()
    for kind in kinds:
        made = made.with_message(Message(kind=kind, content=f"said {kind}"))
    return made


def test_messages_are_numbered_as_they_come() -> None:
    assert [one.id for one in memory("a", "b").messages] == ["m1", "m2"]


def test_a_message_whose_id_is_known_is_not_added_twice() -> None:
    once = memory("a")
    assert once.with_message(Message(id="m1", kind="b", content="")) == once


def test_the_last_k_and_none_for_all() -> None:
    made = memory("a", "b", "c")
    assert [one.kind for one in made.get(2)] == ["b", "c"]
    assert made.get() == made.get(9) == made.messages


def test_by_kind_and_the_newest_paper_of_a_type() -> None:
    made = memory("a").with_message(message(Plan(title="one"))).with_message(message(Plan(title="two")))
    assert [one.id for one in made.by_kind(Plan)] == ["m2", "m3"]
    assert made.newest(Plan) == Plan(title="two")
    assert made.newest(Step) is None


def test_news_is_what_is_watched_and_not_seen() -> None:
    made = memory("a", "b", "a")
    assert [one.id for one in made.news({"a"}, {"m1"})] == ["m3"]


def test_a_paper_comes_back_from_json_as_it_went() -> None:
    plan = Plan(title="π", steps=(Step(title="x", needs=(1,)),))
    told = message(plan, sent_by="planner")
    assert (told.kind, told.sent_by) == ("Plan", "planner")
    assert Message.model_validate_json(told.model_dump_json()).read(Plan) == plan
