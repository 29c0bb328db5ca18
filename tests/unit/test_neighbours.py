"""What stands near a known statement and leaves it as it is: another of the same sort, a part, an end in part."""

import pytest

from graph.arbitration.people import person_meant
from graph.arbitration.values import same, simplified
from graph.arbitration.wording import read
from graph.timelines.decide import KnownStatement, Ruling, Said, Verdict, decide

KEEPS = (Verdict.ADD, Verdict.NOOP, Verdict.CONFLICT)


def ruled(old: str, new: str, key: str | None = None, values: tuple[str | None, str | None] = (None, None)) -> Ruling:
    known = KnownStatement("1", old, values[0], "active", "value", "user_stated", "ann")
    return decide(Said(new, key, values[1], "user_stated", "ann", "ann"), [known])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # another of the same sort
        ("My phone is a Pixel 9", "My work phone is now an iPhone"),
        ("My older sister lives in Rome", "My younger sister moved to Paris"),
        ("My son plays the piano", "My other son quit the piano"),
        ("My favourite colour is blue", "My favourite food is now sushi"),
        ("Our office is in Porto", "The Braga office has moved to the river"),
        ("我最喜欢的颜色是蓝色", "我最喜欢的水果现在是芒果"),
        ("我坐 12 路公交", "31 路公交停运了"),
        ("测试环境用 Redis 6", "线上环境的 Redis 升级到 7 了"),
        # other people's
        ("Her dog is old", "His dog is old"),
        ("Our team uses Slack", "Our suppliers dropped Slack in favour of Teams"),
        ("我是会计", "我有个学生转行做了会计"),
        # a part, a thing beside it, another object of the same verb
        ("我的手机是红米", "我给手机换了张钢化膜"),
        ("I own a Canon camera", "I replaced the strap of the camera"),
        ("My allotment has a shed", "I emptied the shed and sold the old mower"),
        ("我每天喝咖啡", "我不再喝酒了"),
        ("I live in Berlin", "I moved to a standing desk"),
        ("I have two kids", "My kids moved to a new school"),
        # an end that holds in part
        ("I drink coffee in the morning", "I no longer drink coffee after dinner"),
        ("I use Python at work", "I stopped using Python for the hobby project"),
        ("I wear contact lenses", "I've stopped wearing contact lenses at the pool"),
        ("我每天喝两杯咖啡", "过了下午三点我就不再喝咖啡了"),
        ("我订了牛奶和酸奶", "酸奶停了，牛奶照订"),
        # what is taken back, planned, or holds for a while
        ("I have Netflix", "I cancelled Netflix but then re-subscribed"),
        ("I live in Berlin", "I'm moving to Paris in May"),
        ("I live in Berlin", "I moved to Paris for the weekend"),
        ("我养蚕", "等这批茧卖完，我就不养蚕了"),
        # what holds whatever one does
        ("I'm allergic to peanuts", "I no longer eat peanuts"),
        ("我对花生过敏", "我不吃花生了"),
        # a list that grows, a clause of time
        ("I use Java", "I use Java and Go"),
        ("我住在苏州", "我住在苏州的时候认识了小李"),
    ],
)
def test_without_a_key_a_neighbour_retires_nothing(old: str, new: str) -> None:
    ruling = ruled(old, new)
    assert ruling.verdict in KEEPS, ruling


@pytest.mark.parametrize(
    ("key", "old", "new", "values"),
    [
        ("user.editor", "I use Emacs", "My cofounder switched to Cursor", ("Emacs", "Cursor")),
        ("manager", "My manager is Beatrix", "Priya's manager is now Hollis", ("Beatrix", "Hollis")),
        ("user.employer", "I work for Brightwater", "Remember Odile? She joined Kestrel", ("Brightwater", "Kestrel")),
        ("user.bank", "I bank with Triodos", "She wants it on her Bunq account from now on", ("Triodos", "Bunq")),
        ("project.lead", "Wale leads our project", "In Marta's project, which isn't ours, Karin leads now",
         ("Wale", "Karin")),
        ("user.carrier", "I'm with Telenor", "The switch to Telia was called off", ("Telenor", "Telia")),
        ("user.home", "我住上海", "我五月搬到北京", ("上海", "北京")),
        ("user.lang", "I use Java", "I refused to switch to Go", ("Java", "Go")),
        ("协作工具", "我们组用 Teambition", "外包团队不用 Teambition，改成了 PingCode", ("Teambition", "PingCode")),
        ("user.team", "我在风控组", "坐我后面的小崔调去增长组了", ("风控组", "增长组")),
        ("shop.name", "我的小店叫半盏灯", "改名叫一壶月的申请被驳回了", ("半盏灯", "一壶月")),
        ("user.coffee", "I drink coffee", "I no longer drink coffee after dinner", ("coffee", None)),
    ],
)  # fmt: skip
def test_with_a_key_a_neighbour_retires_nothing(
    key: str, old: str, new: str, values: tuple[str | None, str | None]
) -> None:
    ruling = ruled(old, new, key, values)
    assert ruling.verdict in KEEPS, ruling


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("I use Chrome as my browser", "I no longer use Chrome, my browser is Vivaldi", "UPDATE"),
        ("We deploy on Fridays", "We no longer deploy on Fridays, we deploy on Mondays", "UPDATE"),
        (
            "Our wiki is hosted on Confluence",
            "The migration of our wiki from Confluence to Outline is complete",
            "UPDATE",
        ),
        ("我们团队用禅道管需求", "我们团队的需求管理从禅道换成了飞书项目", "UPDATE"),
        ("我在图书馆当管理员", "我在市图书馆当管理员", "REFINE"),
        ("The heating is on", "The heating is off now", "UPDATE"),
        ("We run a Minecraft server", "We shut the Minecraft server down, nobody logged in since Easter", "INVALIDATE"),
        ("I play in the Linden Quartet", "The Linden Quartet has disbanded", "INVALIDATE"),
        ("我嚼槟榔", "看了片子吓坏了，槟榔我戒了", "INVALIDATE"),
        ("我騎電動車上班", "我騎電動車上班，一直", "NOOP"),
        ("Our stand-up starts at 9:45", "Our standup starts at 9:45", "NOOP"),
        ("I take the bus to work", "I take the bus to work, same as ever", "NOOP"),
        ("我是左撇子", "哈哈我是左撇子呀", "NOOP"),
    ],
)
def test_what_is_about_the_same_thing_still_counts(old: str, new: str, verdict: str) -> None:
    assert ruled(old, new).verdict == verdict


@pytest.mark.parametrize(
    ("text", "words", "meant"),
    [
        ("My friend Rosa moved to Oslo", "friend", "Rosa"),
        ("My friend moved to Oslo", "friend", None),
        ("My brother moved to Oslo", "brother", "brother"),
        ("我同事换了工作", "同事", None),
        ("我弟换了工作", "我弟", "弟弟"),
        ("我弟弟换了工作", "我弟", "弟弟"),
        ("弟弟换了工作", "弟弟", "弟弟"),
        ("他换成了 Go", "他", None),
        ("In a project that isn't ours it changed", "isn’t ours", None),
    ],
)
def test_who_is_meant(text: str, words: str, meant: str | None) -> None:
    assert person_meant(text, words) == meant


def test_traditional_signs_are_simplified_sign_for_sign() -> None:
    text = "晚上九點開會，頭暈就先回家"
    assert simplified(text) == "晚上九点开会，头晕就先回家"
    assert len(simplified(text)) == len(text)
    assert same("晚上九點", "晚上九点")


@pytest.mark.parametrize("text", ["对猫过敏", "对面是山", "Yes, vegetarian", "well, Berlin", "哈哈我对花生过敏"])
def test_what_begins_like_an_interjection_is_kept(text: str) -> None:
    assert not read(text).small_talk


@pytest.mark.parametrize("text", ["哈嗯" * 500, "ok " * 300, "haha, " * 160, "哈" * 900 + "我"])
def test_very_many_interjections_are_read(text: str) -> None:
    read(text)
