"""Statements as agents, extractors and people write them, and the verdict that each must get, with its neighbours.

Without a key a proposal is an ADD; "proposed" expects one, or the verdict that retires by itself. Rows name the
verdicts that are right, split by a bar.
"""

import pytest

from bench.judging import judge_one
from bench.labelled import Pair, Spoken
from bench.scoring import REPLACING
from graph.timelines.said import Act, Verdict

OTHER = "CONFLICT|UPDATE"
ENDED = "INVALIDATE|UPDATE"

# key, old text, old value, new text, new value, verdicts
Row = tuple[str | None, str, str | None, str, str | None, str]

THIRD_PERSON: list[Row] = [
    ("editor", "I use Vim.", "Vim", "User switched to Zed.", "Zed", "UPDATE"),
    ("user.home", "I live in Oslo.", "Oslo", "The user moved to Berlin last week.", "Berlin", "UPDATE"),
    ("user.diet", "I am vegetarian.", "vegetarian", "User is no longer vegetarian.", "vegetarian", "INVALIDATE"),
    ("user.diet", "I am vegetarian.", "vegetarian", "User is no longer vegetarian.", None, "INVALIDATE"),
    ("user.tv", "I have Netflix.", "Netflix", "The user cancelled Netflix.", "Netflix", "INVALIDATE"),
    ("contact", "Customer prefers phone.", "phone", "Customer now prefers mail.", "mail", "UPDATE"),
    ("user.diet", "User is vegetarian.", "vegetarian", "User is now vegan.", "vegan", "UPDATE"),
    ("project.language", "The project uses Java.", "Java", "The project switched to Go.", "Go", "UPDATE"),
    ("user.job", "User works at Siemens.", "Siemens", "User left Siemens and works at Bosch.", "Bosch", "UPDATE"),
    ("user.home", "User lives in Oslo.", "Oslo", "User lives in Berlin.", "Berlin", "CONFLICT"),
    ("user.home", "I live in Oslo.", "Oslo", "The user lives in Oslo.", "Oslo", "NOOP"),
    ("user.home", "I live in Oslo.", "Oslo", "The user's brother moved to Berlin.", "Berlin", "ADD"),
    ("user.home", "I live in Oslo.", "Oslo", "The user is thinking of moving to Berlin.", "Berlin", "ADD"),
    ("编辑器", "我用 Vim", "Vim", "用户换成了 Zed", "Zed", "UPDATE"),
    ("住址", "我住在大连", "大连", "用户上周搬到了威海", "威海", "UPDATE"),
    ("饮食", "我吃素", "吃素", "用户不再吃素了", "吃素", "INVALIDATE"),
    ("订阅", "我订了爱奇艺", "爱奇艺", "用户取消了爱奇艺", "爱奇艺", "INVALIDATE"),
    ("联系方式", "客户喜欢打电话", "电话", "客户现在改用邮件了", "邮件", "UPDATE"),
    ("饮食", "用户吃素", "吃素", "用户现在改吃纯素了", "纯素", "UPDATE"),
    ("项目.语言", "项目用 Java", "Java", "项目换成 Go 了", "Go", "UPDATE"),
    ("住址", "用户住在大连", "大连", "用户住在威海", "威海", "CONFLICT"),
    ("住址", "我住在大连", "大连", "用户的弟弟搬到了威海", "威海", "ADD"),
    ("住址", "我住在大连", "大连", "用户打算搬到威海", "威海", "ADD"),
]

QUOTING: list[Row] = [
    ("project.language", "We use Java.", "Java", 'User said: "we moved to Go"', "Go", "UPDATE"),
    ("project.language", "We use Java.", "Java", "[user] we moved to Go", "Go", "UPDATE"),
    ("project.language", "We use Java.", "Java", "Ann: we moved to Go", "Go", "UPDATE"),
    ("project.language", "We use Java.", "Java", "User: we moved to Go", "Go", "UPDATE"),
    ("editor", "I use Vim.", "Vim", "The user says: “I no longer use Vim”", "Vim", "INVALIDATE"),
    ("editor", "I use Vim.", "Vim", 'User said: "I use Vim"', "Vim", "NOOP"),
    ("editor", "I use Vim.", "Vim", 'My boss said: "switch to Zed"', "Zed", "ADD"),
    ("editor", "I use Vim.", "Vim", 'The advert says "switch to Zed now"', "Zed", "ADD"),
    ("项目.语言", "我们用 Java", "Java", "用户说：我们换成 Go 了", "Go", "UPDATE"),
    ("项目.语言", "我们用 Java", "Java", "用户说：“我们换成 Go 了”", "Go", "UPDATE"),
    ("项目.语言", "我们用 Java", "Java", "[用户] 我们换成 Go 了", "Go", "UPDATE"),
    ("编辑器", "我用 Vim", "Vim", "用户：我不用 Vim 了", "Vim", "INVALIDATE"),
    ("编辑器", "我用 Vim", "Vim", "老板说：“换成 Zed 吧”", "Zed", "ADD"),
]

ORDER_COUNTS: list[Row] = [
    ("drinks", "I prefer tea over coffee.", "tea over coffee", "I prefer coffee over tea.", "coffee over tea", OTHER),
    ("line", "Ann reports to Bob", "Ann reports to Bob", "Bob reports to Ann", "Bob reports to Ann", OTHER),
    ("route", "Lyon to Geneva", "Lyon to Geneva", "Geneva to Lyon", "Geneva to Lyon", OTHER),
    ("流程", "先洗后切", "先洗后切", "先切后洗", "先切后洗", OTHER),
    ("路线", "里昂到日内瓦", "里昂到日内瓦", "日内瓦到里昂", "日内瓦到里昂", OTHER),
    (None, "Ann owes Bob 20 euros", None, "Bob owes Ann 20 euros", None, "ADD"),
    (None, "Alice manages Bob.", None, "Bob manages Alice.", None, "ADD"),
    (None, "I lent Kim my bike.", None, "Kim lent me my bike.", None, "ADD"),
    (None, "Mia is older than Leo.", None, "Leo is older than Mia.", None, "ADD"),
    (None, "The demo comes before the review.", None, "The review comes before the demo.", None, "ADD"),
    (None, "I bought 2 apples and 3 pears.", None, "I bought 3 apples and 2 pears.", None, "ADD"),
    (None, "小王欠小李两百块", None, "小李欠小王两百块", None, "ADD"),
    (None, "小明比小红高", None, "小红比小明高", None, "ADD"),
    (None, "我买了两个苹果三个梨", None, "我买了三个苹果两个梨", None, "ADD"),
    (None, "阿强管着阿明", None, "阿明管着阿强", None, "ADD"),
]

VALUES: list[Row] = [
    ("limit", "The limit is -5", "-5", "The limit is 5", "5", OTHER),
    ("limit", "The limit is <5", "<5", "The limit is >5", ">5", OTHER),
    ("price", "It costs $50", "$50", "It costs €50", "€50", OTHER),
    ("share", "My share is 50%", "50%", "My share is 50", "50", OTHER),
    ("vote", "My vote: 👍", "👍", "My vote: 👎", "👎", OTHER),
    ("温度", "最低 -5 度", "-5 度", "最低 5 度", "5 度", OTHER),
    ("价格", "价格 ¥50", "¥50", "价格 $50", "$50", OTHER),
    ("height", "I am 1.80 m", "1.80 m", "I am 1.8 m tall", "1.8 m", "NOOP"),
    ("price", "It costs 1,000 euros", "1,000 euros", "It costs 1000 euros", "1000 euros", "NOOP"),
    ("身高", "身高 1.80 米", "1.80 米", "身高 1.8 米", "1.8 米", "NOOP"),
    ("employer", "I work at Google", "Google", "I am at former Google", "former Google", OTHER),
    ("employer", "I work at Google", "Google", "I am an ex-Google engineer", "ex-Google", OTHER),
    ("dose", "I take 10 mg", "10 mg", "I take 10 mg less", "10 mg less", OTHER),
    ("job", "I am a manager", "manager", "I am an assistant manager", "assistant manager", OTHER),
    ("shift", "I start at 7 am", "7 am", "I start at 7 pm now that I work nights", "7 pm", "UPDATE"),
    ("雇主", "我在谷歌上班", "谷歌", "前谷歌", "前谷歌", OTHER),
    ("剂量", "每天吃 10 毫克", "10 毫克", "每天少吃 10 毫克", "少 10 毫克", OTHER),
    ("职位", "我是经理", "经理", "我是副经理", "副经理", OTHER),
    ("stack", "We use Java", "Java", "We use Java 21", "Java 21", "REFINE"),
    (
        "boat",
        "The user owns a boat.",
        "boat",
        "The user owns a boat, a Hallberg 31.",
        "Hallberg 31",
        "REFINE",
    ),
    ("rash", "User has a skin rash.", "rash", "User has a skin rash on both elbows.", "both elbows", "REFINE"),
    ("乐器", "用户会一种乐器。", "一种乐器", "用户会一种乐器：大提琴，考过了八级。", "大提琴八级", "REFINE"),
    ("boat", "The user owns a boat.", "boat", "The user owns a caravan.", "caravan", "CONFLICT"),
    ("设备.电量", "手表电量 80%", "80%", "耳机电量 35%", "35%", "ADD"),
    ("family", "I am married", "married", "I am no longer married", "not married", ENDED),
    ("婚姻", "我已婚", "已婚", "我已经不是已婚了，离了", "离异", ENDED),
    ("light", "The light is on.", "on", "The light is off.", "off", OTHER),
    ("light", "The light is off.", "off", "The light is on.", "on", OTHER),
    ("allergies.known", "I have a nut allergy.", "nut allergy", "Allergies: none", "none", f"{OTHER}|INVALIDATE"),
    ("smoker", "Smoker: yes", "yes", "Smoker: no", "no", OTHER),
    ("task", "The task is open", "open", "The task is done", "done", OTHER),
    ("shop", "The shop is open", "open", "The shop is closed", "closed", OTHER),
    ("灯", "灯开着", "开", "灯关着", "关", OTHER),
    ("任务", "任务进行中", "进行中", "任务已完成", "完成", OTHER),
    ("吸烟", "吸烟：是", "是", "吸烟：否", "否", OTHER),
]

VALUE_COUNTS: list[Row] = [
    ("user.home", "I live in Lyon.", "Lyon", "Make that Oslo.", "Oslo", OTHER),
    ("user.home", "I live in Lyon.", "Lyon", "user.home = Oslo", "Oslo", "CONFLICT"),
    ("user.home", "I live in Lyon.", "Lyon", "home: Oslo", "Oslo", "CONFLICT"),
    ("user.home", "I live in Lyon.", "Lyon", "Asun Oslossa.", "Oslo", "CONFLICT"),
    ("user.home", "I live in Lyon.", "Lyon", "東京に住んでいます。", "東京", "CONFLICT"),
    ("住址", "我住在里昂", "里昂", "住址 = 奥斯陆", "奥斯陆", "CONFLICT"),
    ("住址", "我住在里昂", "里昂", "住址：奥斯陆", "奥斯陆", "CONFLICT"),
    ("day", "The meeting is on Monday.", "Monday", "Actually, it's Tuesday", "Tuesday", "UPDATE"),
    ("day", "The meeting is on Monday.", "Monday", "I meant Tuesday", "Tuesday", "UPDATE"),
    ("day", "The meeting is on Monday.", "Monday", "that was wrong: Tuesday", "Tuesday", "UPDATE"),
    ("day", "The meeting is on Monday.", "Monday", "Correction: the meeting is on Tuesday", "Tuesday", "UPDATE"),
    ("日子", "会在周一", "周一", "说错了，是周二", "周二", "UPDATE"),
    ("日子", "会在周一", "周一", "更正一下，会在周二", "周二", "UPDATE"),
    ("日子", "会在周一", "周一", "不对，应该是周二", "周二", "UPDATE"),
    ("cloud", "We run on AWS", "AWS", "We are evaluating GCP but nothing is decided", "GCP", "ADD"),
    ("cloud", "We run on AWS", "AWS", "We are considering a move to GCP", "GCP", "ADD"),
    ("云", "我们用阿里云", "阿里云", "我们在评估腾讯云，还没定", "腾讯云", "ADD"),
    ("跑步", "我每周跑三次步", "每周三次", "膝盖受伤了，这个月不跑步了", None, "ADD"),
]

# Nothing of this may be taken for small talk.
KEPT = """
No nuts for me
No gluten
no calls after 6pm please
Nope, never smoked
Night shift on Mondays
Happy birthday to Mia on 3 May
I can't sleep lately
no I am vegan
it's raining and I broke my arm
Hello my name is Jun and I live in Oslo
No dairy please
Thanks, I don't eat coriander
Good morning, I start my new job today
ok I am allergic to peanuts
I went to chemotherapy
谢谢，我不吃香菜
好饿，胃不好
我去过里昂
好的我对花生过敏
我去做化疗了
不要放花生
晚上六点后别打电话
周一上夜班
五月三号给米娅过生日
最近睡不着
你好，我叫小军
下雨了，我摔断了胳膊
""".strip().splitlines()

TWO_STATEMENTS = """
I now know Python -> I now know Rust
I now speak Dutch -> I now speak Danish
I changed the bulb in the kitchen -> I changed the bulb in the hall
Room 12 is booked -> Room 14 is booked
Table 3 is free -> Table 5 is free
My doctor is Martina. -> My doctor is Martine.
I live in York. -> I live in New York.
Chip ASR1603 overheats. -> Chip ASR1605 overheats.
I take vitamin C. -> I take vitamin D.
Plan A is ready. -> Plan B is ready.
I have a dog. -> I have a dog allergy.
I have a car. -> I have a car loan.
I have a house. -> I have a house guest.
Ticket OPS-55 is open. -> Ticket OPS-56 is open.
Flight LH401 is at 9. -> Flight LH402 is at 11.
Invoice 17 is paid. -> Invoice 18 is paid.
My son Leo is 7. -> My son Max is 9.
I'm allergic to nuts. -> I'm allergic to eggs.
I like tea. -> I like coffee.
我现在养了一只猫 -> 我现在养了一只狗
我现在会 Python -> 我现在会 Rust
我换了厨房的灯泡 -> 我换了客厅的灯泡
12 号房订出去了 -> 14 号房订出去了
我叫小林。 -> 我叫小周。
我叫小周。 -> 我叫小林。
我喜欢喝茶 -> 我喜欢吃茶叶蛋
我去过京都 -> 我去过东京都
我有车 -> 我有车贷
工单 55 未处理 -> 工单 56 未处理
航班 CA101 九点起飞 -> 航班 CA102 十一点起飞
大儿子七岁 -> 小儿子九岁
我对坚果过敏 -> 我对鸡蛋过敏
我吃维生素 C -> 我吃维生素 D
方案甲通过了 -> 方案乙通过了
""".strip().splitlines()

# old text, new text, verdicts; "proposed": ADD with a proposal, or the verdict that retires
WITHOUT_KEY: list[tuple[str, str, str]] = [
    ("I no longer smoke.", "I smoke.", "ADD|CONFLICT|UPDATE"),
    ("I don't eat meat any more.", "I eat meat again.", "ADD|CONFLICT|UPDATE"),
    ("I eat meat.", "I don't eat meat any more.", "proposed"),
    ("我不抽烟了", "我抽烟", "ADD|CONFLICT|UPDATE"),
    ("我不吃肉了", "我又吃肉了", "ADD|CONFLICT|UPDATE"),
    ("我吃肉", "我不吃肉了", "proposed"),
    ("我每周跑三次步", "膝盖受伤了，这个月不跑步了", "ADD"),
    ("I run three times a week", "I hurt my knee, no running this month", "ADD"),
    ("I use Vim", "Hi! I switched from Vim to Zed", "proposed"),
    ("I use Vim", "How are you? I switched from Vim to Zed.", "proposed"),
    ("I use Vim", "User switched from Vim to Zed.", "proposed"),
    ("I have Netflix", "The user cancelled Netflix.", "proposed"),
    ("我用 Vim", "你好！我从 Vim 换成 Zed 了", "proposed"),
    ("我用 Vim", "在吗？我从 Vim 换成 Zed 了。", "proposed"),
    ("我用 Vim", "用户从 Vim 换成了 Zed", "proposed"),
    ("I live in Oslo", "I live in Oslo", "NOOP"),
    ("我住在大连。", "我住在大连", "NOOP"),
    *(("I live in Oslo", text, "SKIPPED_EPHEMERAL") for text in ("Thanks!", "Good morning", "ok")),
    *(("我住在大连", text, "SKIPPED_EPHEMERAL") for text in ("谢谢！", "早上好", "好的")),
]

NOTE = (
    "The morning shift is quiet as a rule, the phones start to ring at ten, most callers ask for opening hours. " * 10
)
NOTE_ZH = "早班一般很安静，十点电话才开始响，多数人问的是营业时间，少数人问价格，也有人问怎么走。" * 30


def named(speaker: str, subject: str | None, new: str, verdicts: str, **more: str) -> tuple[Pair, str]:
    old = Spoken("I live in Bergen", "Bergen", subject, speaker)
    return Pair("en", "user.home", old, Spoken(new, more.get("value", "Oslo"), subject, speaker), Verdict.ADD), verdicts


NAMED = [
    named("ann", None, "Ann moved to Oslo last week.", "UPDATE"),
    named("ann-17", None, "ann-17 moved to Oslo last week.", "UPDATE"),
    named("ann@example.org", None, "ann@example.org moved to Oslo last week.", "UPDATE"),
    named("agent", "Kiran", "Kiran moved to Oslo last week.", "UPDATE"),
    named("林娜", None, "林娜上周搬到奥斯陆了", "UPDATE", value="奥斯陆"),
    named("ann", "K", "阿明住在里昂", "CONFLICT", value="里昂"),
    named("ann", "K", "Ming lives in Lyon", "CONFLICT", value="Lyon"),
    named("alice", None, "Jack lives in Oslo.", "ADD"),
    named("alice", None, "Jack moved to Oslo.", "ADD"),
    named("alice", None, "My friend Jack lives in Oslo.", "ADD"),
    named("小林", None, "我朋友杰克搬到奥斯陆了", "ADD", value="奥斯陆"),
]

ACTS: list[tuple[Act, str | None, str, str]] = [
    (Act.REPLACES, "Oslo", "Asun Oslossa.", "UPDATE"),
    (Act.REPLACES, "Oslo", "user.home = Oslo", "UPDATE"),
    (Act.REPLACES, "奥斯陆", "住址 = 奥斯陆", "UPDATE"),
    (Act.ENDS, "Bergen", "not there any longer, home again", "INVALIDATE"),
    (Act.ENDS, None, "搬走", "INVALIDATE"),
    (Act.ADDS, "Oslo", "We moved to Oslo", "ADD"),
    (Act.PLANS, "Oslo", "We moved to Oslo", "ADD"),
    (Act.ASSERTS, "Bergen", "Bergen it is", "NOOP"),
]


def expect(pair: Pair, verdicts: str) -> None:
    judged = judge_one(pair)
    if verdicts == "proposed":
        seen = judged.proposed is not None or judged.verdict in REPLACING
        assert seen, f"{judged.verdict} ({judged.rule})"
    else:
        assert judged.verdict in verdicts.split("|"), f"{judged.rule} {judged.words!r}"


WITH_VALUES = [*THIRD_PERSON, *QUOTING, *ORDER_COUNTS, *VALUES, *VALUE_COUNTS]


@pytest.mark.parametrize("row", WITH_VALUES, ids=lambda row: row[3])
def test_with_values(row: Row) -> None:
    key, old, old_value, new, new_value, verdicts = row
    expect(Pair("", key, Spoken(old, old_value), Spoken(new, new_value), Verdict.ADD), verdicts)


@pytest.mark.parametrize("text", KEPT)
def test_what_tells_something_is_kept(text: str) -> None:
    expect(Pair("", None, Spoken("I drive a Yaris"), Spoken(text), Verdict.ADD), "ADD")


@pytest.mark.parametrize("both", TWO_STATEMENTS)
def test_two_statements(both: str) -> None:
    old, new = both.split(" -> ")
    expect(Pair("", None, Spoken(old), Spoken(new), Verdict.ADD), "ADD")


@pytest.mark.parametrize(("old", "new", "verdicts"), WITHOUT_KEY)
def test_without_a_key(old: str, new: str, verdicts: str) -> None:
    expect(Pair("", None, Spoken(old), Spoken(new), Verdict.ADD), verdicts)


@pytest.mark.parametrize(("pair", "verdicts"), NAMED, ids=lambda one: one.new.text if isinstance(one, Pair) else "")
def test_who_is_named(pair: Pair, verdicts: str) -> None:
    expect(pair, verdicts)


@pytest.mark.parametrize(("act", "value", "text", "verdicts"), ACTS)
def test_a_stated_act_decides(act: Act, value: str | None, text: str, verdicts: str) -> None:
    new = Spoken(text, value, act=act)
    expect(Pair("", "user.home", Spoken("I live in Bergen", "Bergen"), new, Verdict.ADD), verdicts)


@pytest.mark.parametrize("lead", [NOTE, NOTE_ZH])
@pytest.mark.parametrize("end", ["Ann starts on Monday.", "安娜周一入职。"])
def test_the_whole_of_a_long_text_counts(lead: str, end: str) -> None:
    assert len(lead) >= 1_000
    expect(Pair("", None, Spoken(lead + "It closes at six."), Spoken(lead + end), Verdict.ADD), "ADD")
    expect(Pair("", None, Spoken(lead + end), Spoken(lead + end), Verdict.ADD), "NOOP")
