"""Reads a person's words as an answer to a question. Putting the question and keeping the answer is run/ask's business.

Words are read whole, never by substring: "note the price" holds "no" and is a change to the plan, not a refusal.
"""

import json
import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import assert_never

from pydantic import JsonValue, ValidationError

from moot.patterns.plan_rules import MOST_STEPS_OF_A_PERSON
from moot.patterns.plan_shapes import plan_in
from moot.patterns.wording import listed
from moot.values.plans import Plan
from moot.values.questions import (
    Accept,
    Answer,
    Approval,
    Clarification,
    Edit,
    PlanReview,
    QuestionBody,
    Refuse,
    Replace,
    Words,
)


@dataclass(frozen=True, slots=True)
class Unclear:
    """Not an answer yet: the question stays open and is put again with `why`."""

    why: str


@dataclass(frozen=True, slots=True)
class PlanFile:
    """`@path`: the plan is in that file. Only a terminal may open it."""

    path: str


_ACCEPT = listed(
    """a y yes yeah yep ok okay okey k sure good great fine perfect go start proceed continue run accept accepted agree
    agreed approve approved right correct do-it go-ahead lgtm
    好 好的 好啊 可以 是 是的 对 对的 行 嗯 接受 同意 开始 继续 没问题 批准 确认 执行 通过 赞成 没意见"""
)
_REFUSE = listed(
    """n no nope nah not never q quit cancel stop abort reject rejected refuse refused decline don't dont won't
    不 不要 不用 别 不必 取消 拒绝 停 停止 算了 放弃 否 没门"""
)
_FILLERS = listed(
    """please pls the this that it is it's its plan plans looks look sounds sound seems thanks thank you thx very so
    much me to and with then now just all for well really quite i i'm am do let's lets us ahead by my as
    吧 啊 呢 了 的 请 谢谢 谢谢你 多谢 感谢 计划 方案 这个 那 那就 就 这样 看起来 听起来 我 您 你 很 都 呀 哦 啦 先"""
)
_NOT = frozenset({"not", "don't", "dont", "never", "不", "不要", "别", "不用"})
_LONGEST = max(len(word) for word in _ACCEPT | _REFUSE | _FILLERS)
_PHRASES = ((re.compile(r"\bdo it\b"), "do-it"), (re.compile(r"\bgo ahead\b"), "go-ahead"))
_ACCEPTED = re.compile(r"\s*\[accepted\]", re.IGNORECASE)
_EDIT_PLAN = re.compile(r"\s*\[edit[_ ]plan\]", re.IGNORECASE)

_AGAIN = "Accept or refuse? Neither is clear from these words. Say yes or no, or say what to change."
_NOTHING_SAID = "Nothing was said; the question is still open."


def read_answer(body: QuestionBody, text: str, *, at_terminal: bool = False) -> Answer | Unclear | PlanFile:
    """The answer that `text` gives to a question, or why it is none. Enter at a terminal accepts a plan."""
    match body:
        case PlanReview():
            return _review(text, at_terminal)
        case Clarification():
            return _clarified(text, body.choices)
        case Approval():
            return _approval(text)
        case _:
            assert_never(body)


def _review(text: str, at_terminal: bool) -> Answer | Unclear | PlanFile:
    stripped = text.strip()
    if not stripped:
        return Accept() if at_terminal else Unclear(_NOTHING_SAID)
    if _ACCEPTED.match(stripped):
        return Accept()
    if edit := _EDIT_PLAN.match(stripped):
        wanted = stripped[edit.end() :].strip()
        return Edit(text=wanted) if wanted else Unclear("[EDIT_PLAN] must be followed by what to change.")
    if stripped[0] in "{[":
        return _replacement(stripped)
    if stripped[0] == "@" and at_terminal:
        return PlanFile(stripped[1:].strip())
    return _yes_or_no(stripped) or Edit(text=stripped[:20_000])


def _approval(text: str) -> Answer | Unclear:
    if not text.strip():
        return Unclear(_NOTHING_SAID)
    said = _yes_or_no(text)
    if said is not None:
        return said
    first = re.match(r"[\w'’]+", text.strip().casefold())
    refuses = first is not None and first[0] in _REFUSE
    return Refuse(reason=text.strip()) if refuses else Unclear(_AGAIN)


def _clarified(text: str, choices: tuple[str, ...]) -> Words:
    words = text.strip()
    if words.isdecimal() and 1 <= int(words) <= len(choices):
        return Words(text=choices[int(words) - 1])
    return Words(text=words)


def _yes_or_no(text: str) -> Accept | Refuse | Unclear | None:
    """Accept, refuse or unclear when every word is of the lists; None when the text says more than that."""
    tokens = _tokens(text)
    if tokens is None:
        return None
    yes = [token for token in tokens if token in _ACCEPT]
    no = [token for token in tokens if token in _REFUSE]
    turned = any(
        first in _NOT and second in _ACCEPT | _REFUSE and first != second for first, second in pairwise(tokens)
    )
    if tokens == ["all"]:
        return Accept(later=True)
    if turned or (yes and no) or not (yes or no):
        return Unclear(_AGAIN)
    if no:
        return Refuse()
    return Accept(later=tokens[-1] == "all")


def _tokens(text: str) -> list[str] | None:
    """The words of a short answer; None as soon as one is not of the lists."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    for phrase, token in _PHRASES:
        plain = phrase.sub(token, plain)
    found: list[str] = []
    for word in re.findall(r"[a-z]+(?:['-][a-z]+)*|[^\W_]", plain):
        found.append(word)
    return _joined(found)


def _joined(pieces: list[str]) -> list[str] | None:
    """Puts single Chinese characters together to the longest words of the lists."""
    known = _ACCEPT | _REFUSE | _FILLERS
    tokens: list[str] = []
    at = 0
    while at < len(pieces):
        if pieces[at] in known and pieces[at].isascii():
            tokens.append(pieces[at])
            at += 1
            continue
        for length in range(_LONGEST, 0, -1):
            word = "".join(pieces[at : at + length])
            if word in known:
                tokens.append(word)
                at += length
                break
        else:
            return None
    return tokens


def _replacement(text: str) -> Replace | Unclear:
    try:
        raw: JsonValue = json.loads(text)
    except ValueError as wrong:
        return Unclear(f"That is not a plan: {wrong}.")
    return read_plan(raw)


def read_plan(raw: JsonValue) -> Replace | Unclear:
    """A person's own plan in any shape the plan rules know, or the field's path and what is wrong there."""
    try:
        plan = plan_in(raw)
    except ValidationError as wrong:
        faults = "; ".join(_fault(error["loc"], error["msg"]) for error in wrong.errors())
        return Unclear(f"That is not a plan: {faults}")
    if plan is None or not any(step.title.strip() or step.description.strip() for step in plan.steps):
        return Unclear("That is not a plan: it needs steps, each with a title or a description.")
    why = too_many(plan)
    return Unclear(why) if why else Replace(plan=plan)


def too_many(plan: Plan) -> str:
    """Why a person's plan is put again; `` when it may run."""
    if len(plan.steps) > MOST_STEPS_OF_A_PERSON:
        return f"A plan may have up to {MOST_STEPS_OF_A_PERSON} steps; this one has {len(plan.steps)}."
    return ""


def _fault(where: tuple[int | str, ...], what: str) -> str:
    return f"{'.'.join(str(part) for part in where) or 'plan'}: {what}"
