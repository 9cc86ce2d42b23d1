"""The words that the program writes around a draft, in English and in Chinese."""

from moot.text.language import is_chinese

_LABELS: dict[str, tuple[str, str]] = {
    "failed_statements": ("Statements that did not pass", "未通过核验的陈述"),
    "gaps": ("Gaps", "缺口"),
    "reading_notes": ("Notes on searching and reading", "检索与阅读说明"),
    "computations": ("Computations", "计算"),
    "coverage": ("Coverage", "覆盖情况"),
    "sources": ("Sources", "来源"),
    "also_read": ("Also read, not cited", "已读未引用"),
    "code": ("Code", "代码"),
    "printed": ("Printed", "输出"),
    "inputs": ("Inputs", "输入"),
    "read": ("read", "读取于"),
    "snapshot": ("snapshot", "快照"),
    "mark": ("mark", "标记"),
    "step": ("Step", "步骤"),
    "question": ("Question", "问题"),
    "status": ("Status", "状态"),
    "claims": ("Claims", "陈述"),
    "evidence": ("Evidence", "证据"),
    "answered": ("answered", "已回答"),
    "thin": ("thin", "证据单薄"),
    "unanswered": ("unanswered", "未回答"),
    "failed": ("failed", "失败"),
    "official": ("official", "官方"),
    "primary": ("primary", "一手"),
    "research": ("research", "研究"),
    "press": ("press", "新闻"),
    "reference": ("reference", "工具书"),
    "company": ("company", "企业"),
    "forum": ("forum", "论坛"),
    "video": ("video", "视频"),
    "social": ("social media", "社交媒体"),
    "contradictions": ("Contradictions", "来源之间的矛盾"),
    "contradiction": ("They contradict each other", "相互矛盾"),
    "possible": ("Possibly a contradiction", "可能矛盾"),
    "differs_by_period": ("Other periods", "时期不同"),
    "differs_by_definition": ("Other definitions", "口径不同"),
    "one_work": ("one work", "仅一个作品"),
    "only_weak": ("only weak claims", "仅有证据不足的陈述"),
    "weak": ("weak: ", "证据不足："),
    "unsupported": ("not supported: ", "不被支持："),
    "uncited": ("no source", "无出处"),
    "comma": (", ", "，"),
    "colon": (": ", "："),
}

SUMMARIES = (
    *(
        "abstract",
        "summary",
        "key point",
        "key finding",
        "key fact",
        "short answer",
        "headline",
        "in brief",
        "takeaway",
    ),
    *("摘要", "要点", "概要", "简答", "简要回答", "导语", "标题", "结论速览", "核心结论"),
)
"""A heading that holds one of these opens key points or a summary: what is unsupported is taken out of it."""


def label(name: str, locale: str) -> str:
    """One label: Chinese for zh*, English for every other locale."""
    english, chinese = _LABELS[name]
    return chinese if is_chinese(locale) else english
