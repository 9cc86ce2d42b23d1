"""Guesses the charset of a text that has no label, from the characters that its language uses most.

Short texts are the hard ones (70 bytes must do); what this does not know is left to charset-normalizer in charset.py.
"""

import re

_SIMPLIFIED = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经"
    "么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全"
    "三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任"
    "常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必"
    "场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告"
    "类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运库蓄亿吨报告研究技术网络系统增长调查"
)
_TRADITIONAL = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經"
    "麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全"
    "三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任"
    "常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必"
    "場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告"
    "類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運庫億噸報研究網絡系統增調查臺灣"
)
_JAPANESE = frozenset(
    "日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木"
    "聞食車何南万毎白天母火右読友左休父雨新会社的同部事方場業定者立合市内相対動発政主実現全力決意代表関京問最体性多法理数所通化"
    "作自取家世界使度信知用分開地手物経記明文情教当都目報道不戦議民連員題調"
)
_KOREAN = frozenset(
    "이다는의에을가고하은를지도로한서시자기리어사나대해인정있그아일으라것수부만스장보과구제들전적원상었면주게화성와며년공연등안위문"
    "당동개방국경중우선계관미유생교내회조비학실발여소체신간물세행분식무용양니습까지요러했할때오음요건된없말않여려데모마"
)
_MARKS = frozenset("，。、；：？！「」『』（）《》“”‘’·…—～　【】〈〉％")
_WESTERN = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœÀÁÂÄÅÆÇÈÉÊËÍÎÏÑÓÔÖØÚÛÜŒ’‘“”–—…€«»°£§©®·¿¡º\u00a0")
_HIGH = re.compile(rb"[\x80-\xff]+")


def guess(body: bytes) -> str:
    """The likeliest charset of unlabelled bytes that are not UTF-8; `` when none is likely."""
    sample = body[:20_000]
    runs = [len(run) for run in _HIGH.findall(sample)]
    if not runs:
        return ""
    lone = runs.count(1) / sum(runs)
    scored = [(_western(body, sample), "cp1252")]
    for charset in ("cp1251", "koi8-r", "cp866", "iso8859-5"):
        scored.append((_cyrillic(_decoded(body, sample, charset)), charset))
    if lone < 0.8:
        for charset, common in (
            ("gb18030", _SIMPLIFIED), ("big5hkscs", _TRADITIONAL), ("cp932", _JAPANESE), ("euc_jp", _JAPANESE),
            ("cp949", _KOREAN),
        ):  # fmt: skip
            scored.append((_share(_decoded(body, sample, charset), common), charset))
    score, best = max(scored, key=lambda pair: pair[0])
    return best if score >= 0.35 else ""


def _decoded(body: bytes, sample: bytes, charset: str) -> str:
    """The sample's text, or `` when the body as a whole is not in this charset."""
    try:
        body.decode(charset)
        return sample.decode(charset, "ignore")
    except UnicodeDecodeError:
        return ""


def _share(text: str, common: frozenset[str]) -> float:
    odd = [char for char in text if char > "\x7f"]
    if not odd:
        return 0.0
    kana = common is _JAPANESE
    good = sum(1 for char in odd if char in common or char in _MARKS or (kana and "\u3041" <= char <= "\u30fe"))
    foreign = sum(1 for char in odd if "\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff")
    return (good - foreign) / len(odd)


def _cyrillic(text: str) -> float:
    """High only for words in lower case with at most a capital first letter: the charsets differ in just that."""
    odd = [char for char in text if char > "\x7f"]
    words = re.findall(r"[\u0400-\u045f]+", text)
    good = sum(len(word) for word in words if word[1:].islower() or (len(word) == 1 and word in "аивксуояАИВКСУОЯ"))
    vowels = sum(1 for char in text if char in "оеаиуыяюэ")
    share = good / max(len(odd), 1)
    return share if share >= 0.8 and vowels >= 0.25 * good else 0.0


def _western(body: bytes, sample: bytes) -> float:
    text = _decoded(body, sample, "cp1252")
    odd = [char for char in text if char > "\x7f"]
    share = sum(1 for char in odd if char in _WESTERN) / max(len(odd), 1)
    return share if share >= 0.8 and len(odd) <= 0.3 * len(text) else 0.0
