"""Tells small talk, asking for harm and real questions apart, by lists of words, in English and Chinese."""

import re
import unicodedata
from typing import Literal

from moot.text.words import words

SmallTalk = Literal["greeting", "thanks", "goodbye", "about"]

_PHRASES: tuple[tuple[SmallTalk, str], ...] = (
    (
        "about",
        r"who are you|who is this|what are you|what is moot|whats your name|what is your name|what can you do"
        r"|what do you do|how can you help(?: me)?|are you (?:an? )?(?:robot|bot|ai|human|real)|introduce yourself"
        r"|你是谁|您是谁|你叫什么名字|你叫什么|你能做什么|你会什么|你会做什么|你可以做什么|你能干什么|你能帮我做什么"
        r"|介绍一下你自己|介绍一下自己|自我介绍|你是机器人吗|你是ai吗|你是人吗",
    ),
    (
        "thanks",
        r"thank you(?: (?:so|very) much)?|thanks(?: a lot| so much)?|thx|cheers"
        r"|谢谢你|谢谢您|谢谢|多谢|感谢|辛苦了",
    ),
    (
        "goodbye",
        r"good ?bye|bye(?: bye)?|see you(?: later| soon)?|good night|farewell|再见|拜拜|晚安|回头见|下次见",
    ),
    (
        "greeting",
        r"hello|hi|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|hows it going|whats up"
        r"|how are you(?: doing)?(?: today)?|nice to meet you|are you (?:there|here|awake)|anyone there"
        r"|你好吗|你好|您好|嗨|哈喽|哈啰|喂|早上好|上午好|中午好|下午好|晚上好|早安|早|在不在|在吗|在么|最近怎么样"
        r"|很高兴认识你",
    ),
)
_PHRASE = re.compile("|".join(f"(?P<{name}>(?:{pattern}))(?![a-z])" for name, pattern in _PHRASES))
_FILLER = re.compile(
    r"(?:moot|there|everyone|everybody|all|again|and|so|please|you|friend|dear|啊|呀|哦|吗|呢|了|大家)(?![a-z])"
)

_MAKE = (
    r"(?:make|making|build|building|create|creating|write|writing|synthesi[sz]e|assemble|cook|produce|develop"
    r"|code|program)"
)
_ASKS_HOW = (
    r"(?:how (?:to|do i|do you|can i|could i|would i|does one)|(?:help|teach|show|tell) me|instructions (?:for|to|on)"
    r"|steps to|recipe for|i (?:want|need) to)"
)
_WEAPON = (
    r"(?:(?:\w+ )?bombs?|explosives?|nerve (?:agents?|gas)|sarin|vx gas|mustard gas|chemical weapons?|bioweapons?"
    r"|biological weapons?|ransomware|malware|keyloggers?|computer virus(?:es)?|meth|methamphetamine|ricin|grenades?"
    r"|ied)"
)
_NOT_ITSELF = (
    r"(?!\s*(?:-|detect|defen[cs]|protect|dispos|shelter|report|essay|polic|respon|remov|scan|cake|film|movie|game"
    r"|article|history|awareness|cyclon))"
)
_FEW_WORDS = r"(?:(?!about|against|on|of|from)[\w'-]+\s+)"
_HARM = re.compile(
    rf"\b{_ASKS_HOW}\b.{{0,40}}?\b{_MAKE}\s+{_FEW_WORDS}{{0,3}}{_WEAPON}\b{_NOT_ITSELF}"
    rf"|(?:^|[.!?,]\s*)(?:please )?{_MAKE}\s+(?:me |us )?{_FEW_WORDS}{{0,2}}{_WEAPON}\b{_NOT_ITSELF}"
    r"|(?:怎么|怎样|如何|帮我|教我|请|我想).{0,8}(?:制造|制作|自制|做|写|合成|编写|造|配制).{0,6}"
    r"(?:炸弹|炸药|神经毒剂|神经毒气|沙林|勒索软件|恶意软件|电脑病毒|木马|冰毒|毒气|生化武器)"
    r"(?!.{0,4}(?:报告|文章|防|检测|历史))",
    re.IGNORECASE,
)
_TELL = r"(?:show|reveal|print|repeat|tell me|give me|output|display|leak|dump|what (?:is|are)|ignore|forget|disregard)"
_OWN_RULES = re.compile(
    rf"\b{_TELL}\b.{{0,30}}\b(?:your|all|the) (?:\w+ ){{0,3}}?(?:system prompt|system message"
    r"|(?:previous|prior|above|earlier|hidden|secret|initial) (?:instructions|prompts?|rules))"
    rf"|\b{_TELL}\b.{{0,20}}\byour (?:own )?(?:prompt|instructions|rules)\b"
    r"|(?:显示|输出|告诉我|给我|重复|打印|泄露|忽略|无视|忘记|忘掉).{0,8}(?:你的|系统|以上|之前|前面)的?.{0,4}"
    r"(?:提示词|提示语|提示|指令|规则|设定)",
    re.IGNORECASE | re.DOTALL,
)
_POLITE = re.compile(
    r"(?:please|kindly|(?:can|could|would) you(?: please)?(?: kindly)?(?: tell me| explain| help me understand)?"
    r"|tell me|i(?:'d| would) like to know|i want to know|do you know|help me(?: to)?(?: understand)?"
    r"|(?:please )?(?:answer|reply|respond|write) in [a-z]+\s*[:,]|请问|请|麻烦你?|帮我|帮忙|我想知道|告诉我"
    r"|用[\u4e00-\u9fff]{1,4}(?:文|语)(?:来)?(?:回答|作答|回复|写|说明)?\s*[：:，,])(?![a-z])",
    re.IGNORECASE,
)
_GREETED = re.compile(
    r"(?:hello|hi|hey|good (?:morning|afternoon|evening)|你好|您好|嗨|早上好|下午好|晚上好)(?: there| moot)?(?![a-z])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,，。.!！:：、~～]+")


def small_talk(text: str) -> SmallTalk | None:
    """What kind of small talk the whole text is; None when anything else is in it."""
    left = _plain(text)
    kinds: list[SmallTalk] = []
    while left:
        if phrase := _PHRASE.match(left):
            kinds.append(next(kind for kind, _ in _PHRASES if phrase[kind]))
            left = left[phrase.end() :].lstrip()
        elif filler := _FILLER.match(left):
            left = left[filler.end() :].lstrip()
        else:
            return None
    return next((kind for kind, _ in _PHRASES if kind in kinds), None)


def asks_for_harm(text: str) -> bool:
    """True when the text asks how to make a weapon, or for moot's own instructions; asking about such things passes."""
    return bool(_HARM.search(text) or _OWN_RULES.search(text))


def without_politeness(text: str) -> str:
    """The question without the greeting and politeness it begins with; the text itself when nothing else is left."""
    left = text.strip()
    while True:
        found = _GREETED.match(left) or _POLITE.match(left)
        if found is None:
            break
        rest = left[found.end() :]
        between = _BETWEEN.match(rest)
        left = rest[between.end() :] if between else rest
    return left or text.strip()


def is_short(text: str) -> bool:
    """True for one or two words, or up to four CJK characters, without a question mark."""
    written = words(text)
    cjk = sum(not word.isascii() and len(word) == 1 for word in written)
    return bool(written) and "?" not in text and "？" not in text and (cjk <= 4 if cjk else len(written) <= 2)


def _plain(text: str) -> str:
    """Lower case, without punctuation and emoji, one blank between words."""
    kept = (
        character if character.isalnum() else "" if character in "'’" else " "
        for character in unicodedata.normalize("NFKC", text).casefold()
    )
    return " ".join("".join(kept).split())
