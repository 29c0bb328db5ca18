"""What MemFuseBench promises of its events and questions, tested on whole sets made from tuning seeds."""

import re
from collections import Counter
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import combinations
from math import sqrt
from statistics import fmean
from zoneinfo import ZoneInfo

from api.readers import event_of
from bench.memfuse import writer
from bench.memfusebench import SCENARIOS, filtering
from bench.memfusebench.model import CATEGORIES
from bench.memfusebench.words import content, holds, jaccard
from graph.scope import Scope
from graph.writing.validation import CheckedEvent, draft
from tests.memfusebench import DATE, LIBRARY, Row, Set, held, read, visible

# The shape


def test_a_set_has_the_published_shape(whole: Set) -> None:
    assert len(whole.arrivals) == 7823
    assert len(whole.questions) == 357
    assert set(Counter(line["group"] for line in whole.arrivals).values()) == {1304, 1303}
    by_category = Counter(question["category"] for question in whole.questions)
    assert by_category.keys() == set(CATEGORIES)
    assert set(by_category.values()) == {59, 60}
    assert 8.9 <= whole.report["overall"]["evidence_mean"] <= 9.9
    assert len(whole.unanswerable) == 60


def test_every_event_is_one_that_the_memory_takes(whole: Set) -> None:
    zones = {row["group"]: row["timeZone"] for row in read(whole.folder / "stages/1-personas.jsonl")}
    for line in whole.arrivals:
        group = line["group"]
        event = event_of(line["event"])
        checked = draft(event, Scope(group, writer(event)), ZoneInfo(zones[group]))
        assert isinstance(checked, CheckedEvent), (line, checked)


def test_events_come_in_the_order_of_arrival_and_ids_are_unique_and_tell_nothing(whole: Set) -> None:
    assert len(whole.events) == len(whole.arrivals)
    for group in {line["group"] for line in whole.arrivals}:
        times = [line["arrivesAt"] for line in whole.arrivals if line["group"] == group]
        moments = [datetime.fromisoformat(time) for time in times]
        assert moments == sorted(moments)
    assert all(key.rpartition("-")[0] == event["source"]["kind"] for key, event in whole.events.items())


def test_times_carry_the_offset_of_their_place_and_every_precision_occurs(whole: Set) -> None:
    zones = {row["group"]: ZoneInfo(row["timeZone"]) for row in read(whole.folder / "stages/1-personas.jsonl")}
    kinds: Counter[str] = Counter()
    for line in whole.arrivals:
        stated = line["event"].get("occurredAt")
        kinds["none" if stated is None else "day" if "T" not in stated else "instant"] += 1
        if stated and "T" in stated:
            moment = datetime.fromisoformat(stated)
            assert moment.utcoffset() == moment.astimezone(zones[line["group"]]).utcoffset()
            assert moment <= datetime.fromisoformat(line["arrivesAt"])
    assert min(kinds["none"], kinds["day"]) >= 20


def test_late_arrivals_private_events_and_what_devices_tag_occur(whole: Set) -> None:
    overall = whole.report["overall"]
    assert overall["late_arrivals"] >= 100
    assert overall["private"] >= 60
    tagged = sum("entities" in event for event in whole.events.values())
    assert 0 < tagged < 0.3 * len(whole.events)
    assert len(overall["sources"]) >= 12
    chats = [event for event in whole.events.values() if event["source"]["kind"] == "chat"]
    assert all("conversationId" in event for event in chats)


def test_a_source_belongs_to_one_user_and_is_of_one_kind(whole: Set) -> None:
    owners = {
        (line["group"], event["source"]["id"], event["source"]["kind"], event["userId"])
        for line in whole.arrivals
        for event in [line["event"]]
    }
    assert len(owners) == len({owner[:2] for owner in owners})


def test_events_questions_and_answers_are_in_the_language_they_say(plain: Set) -> None:
    lang = plain.report["language"]
    assert {event["language"] for event in plain.events.values()} == {lang}
    assert {question["language"] for question in plain.questions} == {lang}
    for question in plain.questions:
        han = any("\u4e00" <= sign <= "\u9fff" for sign in question["question"] + question["answer"])
        assert han == (lang == "zh"), question
    foreign = [
        e["text"] for e in plain.events.values() if lang == "en" and any("\u4e00" <= c <= "\u9fff" for c in e["text"])
    ]
    assert not foreign


def test_a_mixed_set_has_both_languages_also_within_one_household(whole: Set) -> None:
    spoken = {
        group: {line["event"]["language"] for line in whole.arrivals if line["group"] == group}
        for group in {line["group"] for line in whole.arrivals}
    }
    assert sorted(map(sorted, spoken.values())) == [["en"], ["en"], ["en", "zh"], ["en", "zh"], ["zh"], ["zh"]]


# The questions


def test_every_fact_of_a_checklist_is_held_by_evidence(whole: Set) -> None:
    for question in whole.questions:
        evidence = [whole.events[key] for key in question["evidence"]]
        assert len(question["checklist"]) >= 2
        for item in question["checklist"]:
            if not item.get("derived"):
                assert any(held(event, item) for event in evidence), (question["questionId"], item)


def test_a_sum_that_is_asked_for_is_in_the_checklist_and_in_no_event(whole: Set) -> None:
    frames = [ask.say for kind in LIBRARY.family("plan") for ask in kind.asks if ask.facts == ("spent",)]
    endings = {re.split(r"\{when\}", text)[-1][-12:] for frame in frames for text in frame}
    summing = [q for q in whole.questions if any(item.get("derived") for item in q["checklist"])]
    assert len(summing) >= SCENARIOS
    asked = [q for q in whole.questions if q["category"] == "multi_user_synthesis"]
    assert summing == [q for q in asked if q["question"][-12:] in endings]
    for question in summing:
        *parts, whole_sum = question["checklist"]
        assert sum(Decimal(item["anyOf"][0].split()[0]) for item in parts) == Decimal(whole_sum["anyOf"][0])
        events = [line["event"] for line in whole.arrivals if line["group"] == question["group"]]
        assert not any(held(event, whole_sum) for event in events if visible(event, question["viewer"]))


def test_a_short_number_alone_is_no_phrase_of_a_checklist(whole: Set) -> None:
    phrases = [phrase for q in whole.questions for item in q["checklist"] for phrase in item["anyOf"]]
    assert not [phrase for phrase in phrases if re.fullmatch(r"[\d.]+", phrase) and len(phrase.replace(".", "")) < 4]
    assert any(re.fullmatch(r"\d+ min", phrase) for phrase in phrases)


def test_only_links_that_events_carry_are_asked_about(whole: Set) -> None:
    carried = {(link["group"], link["cause"], link["effect"]): link["carriedBy"] for link in whole.labelled("link")}
    assert "none" in carried.values()
    asked = [
        (label["group"], link["cause"], link["effect"])
        for label in whole.labelled("question")
        for link in label["links"]
    ]
    assert {carried[link] for link in asked} == {"wording", "id"}


def test_an_answer_holds_its_own_checklist(whole: Set) -> None:
    for question in whole.questions:
        for item in question["checklist"]:
            assert holds(question["answer"], item["anyOf"]), (question["answer"], item)


def test_no_single_event_passes_a_whole_checklist(whole: Set) -> None:
    groups = {line["event"]["eventId"]: line["group"] for line in whole.arrivals}
    for question in whole.questions:
        for key, event in whole.events.items():
            if groups[key] == question["group"] and visible(event, question["viewer"]):
                assert not all(held(event, item) for item in question["checklist"]), (question["questionId"], event)


def test_no_answer_word_stands_in_the_question(whole: Set) -> None:
    names = {event["userId"] for event in whole.events.values()}
    for question in whole.questions:
        asked = content(question["question"]) - content(" ".join(names))
        for phrase in (phrase for item in question["checklist"] for phrase in item["anyOf"]):
            assert not holds(question["question"], [phrase])
            assert DATE.fullmatch(phrase) or not asked & content(phrase), (question["question"], phrase)


def test_evidence_is_visible_to_the_viewer_and_has_arrived_before_the_question(whole: Set) -> None:
    arrived = whole.arrived
    for question in whole.questions:
        asked = datetime.fromisoformat(question["askedAt"])
        for key in question["evidence"]:
            event = whole.events[key]
            assert visible(event, question["viewer"])
            assert arrived[key] < asked
            if "T" in event.get("occurredAt", ""):
                assert datetime.fromisoformat(event["occurredAt"]) < asked


def test_evidence_is_complete(whole: Set) -> None:
    scene_of = {label["eventId"]: label["scene"] for label in whole.labelled("event")}
    labels = {label["questionId"]: label for label in whole.labelled("question")}
    members: dict[tuple[str, str], list[Row]] = {}
    for line in whole.arrivals:
        scene = scene_of[line["event"]["eventId"]]
        if scene:
            members.setdefault((line["group"], scene), []).append(line["event"])
    for question in whole.questions:
        for scene in labels[question["questionId"]]["scenes"]:
            for event in members[question["group"], scene]:
                if visible(event, question["viewer"]) and any(held(event, item) for item in question["checklist"]):
                    assert event["eventId"] in question["evidence"]


def test_what_is_asked_for_in_words_stands_in_no_event_but_evidence(whole: Set) -> None:
    by_group: dict[str, list[Row]] = {}
    for line in whole.arrivals:
        by_group.setdefault(line["group"], []).append(line["event"])
    for question in whole.questions:
        told = [item for item in question["checklist"] if not any(re.search(r"\d", phrase) for phrase in item["anyOf"])]
        for event in by_group[question["group"]]:
            if event["eventId"] not in question["evidence"] and visible(event, question["viewer"]):
                for item in told:
                    said = not item.get("by") or item["by"] == event["userId"]
                    texts = (event["text"], *event.get("entities", ()))
                    assert not (said and any(holds(text, item["anyOf"]) for text in texts)), (question, event)


def test_no_two_questions_are_alike(whole: Set) -> None:
    by_group: dict[str, list[Row]] = {}
    for question in whole.questions:
        by_group.setdefault(question["group"], []).append(question)
    for questions in by_group.values():
        for i, one in enumerate(questions):
            for other in questions[:i]:
                assert jaccard(content(one["question"]), content(other["question"])) <= filtering.ALIKE_WORDS
                if one["category"] == other["category"]:
                    shared = jaccard(frozenset(one["evidence"]), frozenset(other["evidence"]))
                    assert shared <= filtering.ALIKE_EVIDENCE


def test_some_scene_of_a_question_has_a_private_event_that_its_viewer_does_not_see(whole: Set) -> None:
    scene_of = {label["eventId"]: (label["group"], label["scene"]) for label in whole.labelled("event")}
    hidden: dict[tuple[str, str], list[Row]] = {}
    for key, event in whole.events.items():
        if event["visibility"] == "private" and scene_of[key][1]:
            hidden.setdefault(scene_of[key], []).append(event)
    scenes = {label["questionId"]: label["scenes"] for label in whole.labelled("question")}
    unseen = [
        question
        for question in whole.questions
        for scene in scenes[question["questionId"]]
        if any(not visible(event, question["viewer"]) for event in hidden.get((question["group"], scene), ()))
    ]
    assert len(unseen) >= 20


def test_some_questions_ask_for_the_past(whole: Set) -> None:
    assert sum(question["asksPast"] for question in whole.questions) >= 12


def test_the_unanswerable_are_of_every_category_and_reason(whole: Set) -> None:
    assert Counter(lost["looksLike"] for lost in whole.unanswerable) == dict.fromkeys(CATEGORIES, 10)
    reasons = Counter(lost["reason"] for lost in whole.unanswerable)
    assert reasons.keys() == {"never_happened", "wrong_time", "wrong_person", "private"}
    assert reasons["private"] == 8
    answered = {question["question"] for question in whole.questions}
    assert not answered & {lost["question"] for lost in whole.unanswerable}
    assert all("{" not in lost["question"] and "[" not in lost["question"] for lost in whole.unanswerable)


Feature = tuple[str, object]


def features(whole: Set, row: Row) -> set[Feature]:
    """Return what a simple rule could go by: nothing but the question, its viewer and its time."""
    days = {one["group"]: one["days"] for one in read(whole.folder / "stages/1-personas.jsonl")}
    first, count = days[row["group"]]
    over = (date.fromisoformat(first) + timedelta(days=count)).isoformat()
    text = row["question"]
    frames = [(table, n, pair) for table, name in CLOSINGS for n, pair in enumerate(LIBRARY.tables[table][name])]
    closing = [(table, n) for table, n, pair in frames if text.endswith(tuple(pair))]
    time = [name for name, words in TIMES.items() if re.search(words, text)]
    return {
        ("viewer named", row["viewer"] in text),
        ("asked soon", row["askedAt"][:10] < over),
        ("language", row["language"]),
        ("closing", tuple(closing)),
        ("closes", bool(closing)),
        ("time", tuple(time)),
        ("opening", text.split()[0] if row["language"] == "en" else ""),
        ("long", len(text) > (130 if row["language"] == "en" else 45)),
    }


CLOSINGS = (("fusion", "and"), ("causal", "each"))
TIMES = {
    "around": r"(?<!days )\baround \d|日前后",
    "days": r"in the days around|日那几天",
    "about": r"at about \d|日左右",
    "between": r"between \d+ \w+ and|日之间",
    "weeks": r"in the weeks from|日这几周",
}


def test_no_simple_rule_on_the_form_tells_the_unanswerable_apart(whole: Set) -> None:
    lost = [(row["looksLike"], features(whole, row)) for row in whole.unanswerable]
    kept = [(row["category"], features(whole, row)) for row in whole.questions]
    every = {feature for _, form in (*lost, *kept) for feature in form}
    rules = [{one} for one in every] + [set(pair) for pair in combinations(sorted(every, key=repr), 2)]
    for rule in rules:
        shares = [[rule <= form for _, form in rows] for rows in (lost, kept)]
        of_lost, of_kept = (fmean(hits) for hits in shares)
        assert of_lost - of_kept < 0.25, (rule, of_lost, of_kept)
    for category in CATEGORIES:
        # A category's first word goes with the kinds of scenes that were drawn.
        for feature in (feature for feature in every if feature[0] != "opening"):
            hits = [[feature in form for of, form in rows if of == category] for rows in (lost, kept)]
            of_lost, of_kept = (fmean(hit) for hit in hits)
            # Ten a category: chance alone moves a share by up to two and a half standard errors.
            chance = 2.5 * sqrt(max(of_kept * (1 - of_kept), 0.05) / len(hits[0]))
            assert of_lost - of_kept < max(0.25, chance), (category, feature, of_lost, of_kept)


def test_nothing_that_its_viewer_may_see_answers_an_unanswerable_question(whole: Set) -> None:
    rows = read(whole.folder / "stages/2-timeline.jsonl")
    scenes = [row["scene"] | {"group": row["group"]} for row in rows if "scene" in row]
    scene_of = {label["eventId"]: (label["group"], label["scene"]) for label in whole.labelled("event")}
    noisy = {label["eventId"] for label in whole.labelled("event") if label["part"] == "adversarial"}
    kinds = LIBRARY.kinds
    for lost in whole.unanswerable:
        about, group = lost["about"], lost["group"]
        first = about["people"][0]
        same = [scene for scene in scenes if scene["group"] == group and scene["kind"] == about["kind"]]
        if lost["reason"] == "private":
            sealed = next(scene for scene in same if scene["stance"] == "sealed" and first == scene["cast"]["a"])
            told = [whole.events[key] for key, of in scene_of.items() if of == (group, sealed["id"])]
            hidden = [event for event in told if event["visibility"] == "private"]
            assert len(hidden) >= 4
            assert not [event for event in hidden if visible(event, lost["viewer"])]
            assert lost["looksLike"] == "perspective_difference" or hidden == told
            continue
        theirs = [scene for scene in same if first in scene["cast"].values()]
        if kinds[about["kind"]].family in ("track", "value"):
            assert not [scene for scene in same if scene["cast"]["a"] == first]
        day = date.fromisoformat(about["day"])
        for scene in theirs:
            if kinds[about["kind"]].family in ("scene", "plan"):
                assert abs(datetime.fromisoformat(scene["start"]).date() - day).days >= 13
        assert {"never_happened": not same, "wrong_time": bool(same), "wrong_person": bool(same)}[lost["reason"]]
        # Noise never says of somebody what is asked of them.
        for key in noisy:
            if whole.events[key]["userId"] == first and scene_of[key][0] == group:
                imitated = next(
                    label["imitates"] for label in whole.labels if label.get("eventId") == key and "imitates" in label
                )
                told_of = next(s for s in scenes if (s["group"], s["id"]) == scene_of[imitated])
                assert told_of["kind"] != about["kind"]
