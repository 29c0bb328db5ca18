"""The words that rewording knows, and the paragraphs that it puts in front of a text."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

ADVERBS: Final = (
    *"also still now just really usually always never only actually already currently recently finally mostly".split(),
    *"often sometimes even mainly rarely nearly almost probably once".split(),
    "no longer",
)
"""What may stand between "I" and its verb."""

MODALS: Final = frozenset(
    "can can't cannot could couldn't should shouldn't will won't would wouldn't may might must mustn't".split()
)

BASE: Final = frozenset(
    """
    live take play use drive get drink go wear eat keep write speak smoke bank subscribe run own like ride report train
    wish cycle teach sleep pay study sing rent love see wake sit browse type prefer want listen switch code swim know
    weigh carry think commute hope fly edit coach renew work belong earn jog support sell need meet bite watch follow
    grow buy deliver vape hate bring practise practice hold share snowboard change stay start say stream haul hear bake
    order call owe enjoy learn walk climb walk host sign skip manage connect feed treat charge volunteer attend paint
    trust plan understand come make visit repair spend look avoid store park plan cook collect knit shop garden travel
    plant tend breed lease operate handle lead head mentor stand count hang log track back feel tell
    """.split()
)
"""Verbs as they stand after "I" in the present; those that are their own past tense are left out."""

PAST: Final = frozenset(
    """
    was did had got kept wrote spoke went came took gave left rode broke taught slept sold grew said told saw knew
    thought began wore bought found held heard became lost meant met ran sang stood swam threw woke won made drove flew
    drank ate chose felt sent spent built brought caught dealt drew fell shot sat lent swore hung paid kept learnt dug
    changed switched stopped cancelled canceled moved used replaced swapped dropped renamed resigned deleted closed
    finished started ended dyed unsubscribed trained stepped refused opened stayed traded missed emptied observed
    migrated ordered called lived walked transferred ditched signed handed studied cycled remained skipped managed
    renewed tried connected rented shaved rented turned dumped listened planned attended wiped trusted upgraded
    downgraded repaired pulled converted parted abandoned retired returned sublet joined passed enrolled graduated
    relocated worked played smoked booked picked axed scrapped binned retired adopted installed uninstalled converted
    rehomed donated postponed rescheduled registered hired fired promoted decided promised asked shut cut quit
    """.split()
)
"""Past tenses, which need no -s; also what a note begins with that leaves its "I" out."""

KIN: Final = (
    "妈 爸 姐 妹 弟 哥 爷 奶 姥 外公 外婆 爱人 老公 老婆 老板 女儿 儿子 女朋友 男朋友 女友 男友 闺蜜 同事 同学 朋友 "
    "邻居 表 堂 室友 导师 上司 师 姑 舅 叔 伯 姨 岳 婆婆 公公 侄 外甥 孙 孩子 娃 媳妇 丈夫 妻子 "
    "手机 电脑 体重 身高 血型 工位"
).split()
"""Nouns that follow 我 without 的; after another subject they have it."""

REMARKS: Final[Mapping[str, tuple[str, ...]]] = {
    lang: tuple((Path(__file__).parent / "remarks" / f"{lang}.txt").read_text("utf-8").splitlines())
    for lang in ("en", "zh")
}
"""Paragraphs about nobody and nothing that anybody keeps in mind."""
