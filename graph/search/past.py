"""Does a question ask for what no longer holds? Pure.

"Before" and 以前 ask for the past by themselves ("What did she use before?", 我以前住在哪), and not where they stand
with a time ("before noon", 周五之前) or with what is still to come ("before Ben arrives", 出门之前要带什么).
"""

import re
from typing import Final

_ALWAYS: Final = re.compile(
    r"\bprevious(?:ly)?\b(?! (?:day|night|morning|evening|week|month)\b)"
    r"|\bformer(?:ly)?\b|\boriginal(?:ly)?\b|\bno longer\b|\bback then\b|\bat first\b(?! light| sight| glance)"
    r"|\bused to\b|\bdid \w+ use to\b"
    r"|\b(?:switch|chang|mov)ed from\b"
    r"|\bhistor(?:y|ies)\b(?! (?:class|lesson|teacher|exam|test|homework|book|museum|lecture|course)s?\b)"
    r"|从前|原来|原先|原本|曾经|当时|最初|旧的|历史(?!课|考试|老师|书|作业|博物馆|系|专业)",
    re.IGNORECASE,
)

# English

_ACCUSTOMED: Final = re.compile(r"\b(?:am|is|are|get|gets|getting|got) (?:\w+ )?used to\b", re.IGNORECASE)
_UNIT: Final = r"(?:second|minute|hour|day|night|week|weekend|month|season|year|decade)s?"
_NUMBER: Final = (
    r"(?:\d[\d:.,]*(?:\s?[ap]\.?m\b\.?|st|nd|rd|th)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|fifteen|twenty|thirty|forty|fifty|half|quarter|few|couple|several|first|second|third)\b"
)
_EARLIER: Final = re.compile(
    r"(?<!\ban )(?<!\bany )(?<!\bno )(?<!\bmuch )\bearlier\b(?! (?:than|today|tonight|this|that|in the|on|or later)\b)",
    re.IGNORECASE,
)
_IN_THE_PAST: Final = re.compile(
    rf"\bin the past\b(?! (?:{_NUMBER}|{_UNIT}))"
    rf"|(?:\b(?:my|our|your|his|her|their|the|any|all|which|what|of)|['’]s) past (?!{_NUMBER}|{_UNIT}\b)[a-z]",
    re.IGNORECASE,
)
_LIMIT: Final = re.compile(r"\b(before|until|till|prior to)\b", re.IGNORECASE)
_LATE: Final = re.compile(r"\s*(?:very )?(?:recently|lately)\b", re.IGNORECASE)
_ITSELF: Final = re.compile(
    r"\s*(?:(?:(?:that|this)(?: one)?|then|now|it|all that|those|these)\b)?\s*(?:[^\w\s]|$)", re.IGNORECASE
)
_BEFORE_THAT: Final = re.compile(
    r"\s*(?:that|then|this|now)\s+(?:was|were|did|had|what|which|who|where|how)\b", re.IGNORECASE
)
_YEAR: Final = re.compile(r"\s*(?:\w+ )?(?:(?:19|20)\d\d\b|(?:the )?last year\b)", re.IGNORECASE)
_TOLD_IN_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|been|led|ran|went|came|took|gave|made|kept|held|taught|wrote|drove|paid|spoke|sold|got|knew"
    r"|told|said|bought|met|ate|slept|wore|rode|\w{2,}[^\We]ed)\b",
    re.IGNORECASE,
)
_AHEAD: Final = re.compile(r"\b(?:must|should|shall|will|need(?:s|ed)? to|ha(?:s|ve|d) to|going to)\b", re.IGNORECASE)
_PHRASE_ENDS: Final = re.compile(
    r"[,.;:!?]|\b(?:in|on|at|of|for|to|with|and|or|but|is|are|was|were|do|does|did|has|have|had|can|could|should|must"
    r"|will|would|what|which|who|where|when|how|i|you|he|she|it|we|they)\b",
    re.IGNORECASE,
)
_DETERMINERS: Final = re.compile(
    r"\s*(?:(?:about|around|the|my|our|your|his|her|their|this|that|next|last|a|an|every|each|any|mid|early|late|very"
    r"|just|well|shortly|long|end|start|beginning|middle|of|\w+['’]s?)[\s-]+)*",
    re.IGNORECASE,
)
_BEGINS_AS_TIME: Final = re.compile(
    rf"{_NUMBER}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:mon|tue|wed|thu|fri|sat|sun)\b"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
    r"|when\b|what time\b|how late\b|sun(?:rise|set|down|up)\b",
    re.IGNORECASE,
)
_ENDS_AS_TIME: Final = re.compile(
    rf"\b(?:{_UNIT}|noon|midday|midnight|morning|afternoon|evening|tonight|today|tomorrow|yesterday|dawn|dusk|dark"
    r"|spring|summer|autumn|fall|winter|term|semester|quarter|end|start|beginning|date|deadline|time|o['’]clock"
    r"|christmas|xmas|easter|eve|thanksgiving|halloween|ramadan|eid|diwali|hanukkah|passover|festival|new year['’]?s?"
    r"|birthday|anniversary|breakfast|brunch|lunch|dinner|supper|meal|tea|bed|bedtime|sleep|work|school"
    r"|class|lesson|meeting|appointment|exam|test|flight|departure|arrival|trip|holidays?|vacation|party|wedding|call"
    r"|visit|surgery|operation|launch|release|match|game|interview|closing|opening|checkout|check-?in|rent|race|show"
    r"|concert|ceremony|event|conference|presentation|demo|delivery|renewal|expiry|vote|election)\s*$",
    re.IGNORECASE,
)

# Chinese

_PAST_SIGNS: Final = re.compile(r"以前|之前|过去|過去")
_CLAUSE: Final = re.compile(r"[，。；：！？、,.;:!?\s“”\"]")
_NUMERAL: Final = "0-9０-９一二两三四五六七八九十百零〇半几数多"
_YEARS_AGO: Final = re.compile(
    rf"(?:很久|好久|许久|多年|若干年|[{_NUMERAL}]+年|去年|前年|小时候|年轻(?:的时候)?|[{_NUMERAL}]+岁)$"
)
_CALENDAR_YEAR: Final = re.compile(r"(\d{4})年?(?:\d{1,2}月(?:份|底|初)?)?$")
_TIME_SIGNS: Final = re.compile(
    rf"(?:[{_NUMERAL}]+(?:点(?:钟|半|整|[{_NUMERAL}]+分?|一刻|三刻)?|分钟?|秒|小时|个小时|号|日|天|个?月|周|个?星期|个?礼拜|刻钟|点多)"
    r"|\d{1,2}[:：]\d{2}|(?:周|星期|礼拜)[一二三四五六日天末]|[今明后昨前当每次][天日晚早年]|[上下这本]个?(?:周|星期|礼拜|月|季度|学期)"
    r"|[早中晚上下午夜凌晨傍黄昏]{1,2}[上午晨晚昏间里]|半夜|午夜|正午|[月年周季][底初末中]|[春夏秋冬][天季]|天[黑亮]|日[出落]"
    r"|节|假期?|生日|国庆|春节|元旦|中秋|圣诞|除夕|清明|端午|元宵|五一|十一|双十一|暑假|寒假|周年|纪念日"
    r"|[早午晚]?[饭餐]|睡觉?|[入就]寝|起床|出门|出发|[上下]班|[上下放开]学|[上下]课|开会|会议|[月期中大]考|考试|面试|婚礼|手术|登机|起飞|开车"
    r"|截止(?:日期)?|到期|过期|结束|开始|时候|回[家来去]|[来到走完好回去]|什么时间|什么时候|何时|哪天|现在)$"
)
_CHANGES: Final = re.compile(
    r"[搬换改转迁]|结婚|离婚|毕业|辞职|离职|退休|入职|跳槽|生病|怀孕|出生|出国|回国|上大学|当兵|加入|成为"
)
_NO_OTHER: Final = re.compile(
    r"^(?:那|那么|这|在|而|但|可是|请问|和|跟|比)*(?:[我你您他她它咱]们?|自己|大家|[爸妈哥姐弟妹爷奶]+)?$"
)
_STILL_TO_COME: Final = re.compile(r"[要得](?!到)|应该|必须|需要|记得|提醒|打算|计划|可以|能不能|会不会|别忘")
_SPAN: Final = re.compile(
    rf"(?:的)?(?:这|那)?[{_NUMERAL}]+(?:个)?(?:小时|天|日|周|星期|礼拜|月|季度|年|晚)|的?(?:一周|半年|几天)"
)
_THERE: Final = re.compile(r"[走跑送寄搬拿发转飞赶带传递汇打骑开坐车]$|(?:什么时候|怎么|何时|马上|直接|几点|能|要|想)$")
_GO_THERE: Final = re.compile(r"(?:要|得)?(?:多久|多远|多长|方便|接|拿|找|看|帮|取|一下|一趟|吗|呢|吧|了|$)")


def asks_for_past(question: str, year: int) -> bool:
    """Tell whether a question asks for what no longer holds, as the year in which it is asked sees it."""
    question = _ACCUSTOMED.sub(" ", question)
    if _ALWAYS.search(question) or _EARLIER.search(question) or _IN_THE_PAST.search(question):
        return True
    told = bool(_TOLD_IN_PAST.search(question)) and not _AHEAD.search(question)
    if any(
        _limit_is_past(cue[1].casefold(), question[cue.end() :], year, told=told) for cue in _LIMIT.finditer(question)
    ):
        return True
    return any(_sign_is_past(question, sign, year) for sign in _PAST_SIGNS.finditer(question))


def _limit_is_past(word: str, behind: str, year: int, *, told: bool) -> bool:
    """Tell whether "before" or "until" asks for the past, by what stands behind it; `told`: it tells of the past."""
    if _LATE.match(behind):
        return True
    if _ITSELF.match(behind) or _BEFORE_THAT.match(behind):
        return told or word in ("before", "prior to")
    if past_year := _YEAR.match(behind):
        digits = re.search(r"\d{4}", past_year[0])
        return told and (digits is None or int(digits[0]) <= year)
    return told and not _names_a_time(behind)


def _names_a_time(behind: str) -> bool:
    """Tell whether a phrase begins or ends as a time does: "half past nine", "our next team meeting"."""
    begun = _DETERMINERS.match(behind)
    rest = behind[begun.end() :] if begun else behind
    end = _PHRASE_ENDS.search(rest)
    # What stands before the last determiner counts as well: "the end", "this morning".
    phrase = behind[: len(behind) - len(rest)] + (rest[: end.start()] if end else rest)
    return bool(_BEGINS_AS_TIME.match(rest) or _BEGINS_AS_TIME.match(behind.lstrip()) or _ENDS_AS_TIME.search(phrase))


def _sign_is_past(question: str, sign: re.Match[str], year: int) -> bool:
    """Tell whether 以前, 之前 or 过去 asks for the past, by what stands around it in its clause."""
    before = _CLAUSE.split(question[: sign.start()])[-1]
    behind = question[sign.end() :]
    if sign[0] in ("过去", "過去"):
        return not (_SPAN.match(behind) or _THERE.search(before) or _GO_THERE.match(behind.rstrip("？?。 ")))
    if dated := _CALENDAR_YEAR.search(before):
        return int(dated[1]) <= year
    if _YEARS_AGO.search(before) or _CHANGES.search(before) or _NO_OTHER.match(before):
        return True
    return not (_TIME_SIGNS.search(before) or _STILL_TO_COME.search(behind))
