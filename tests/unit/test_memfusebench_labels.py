"""What MemFuseBench promises of its labels, tested on whole sets made from tuning seeds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from statistics import fmean

from bench.memfusebench import SCENARIOS, scenario, timeline_review
from bench.memfusebench.model import Kind, Timeline
from bench.memfusebench.review import reviewed
from bench.memfusebench.words import holds
from tests.memfusebench import LIBRARY, SEED, Row, Set, held, read


def test_labels_lie_in_files_of_their_own(whole: Set) -> None:
    assert {name for line in whole.arrivals for name in line} == {"group", "arrivesAt", "event"}
    given = {name for event in whole.events.values() for name in event}
    assert not given & {"episode", "scene", "story", "verdict", "part", "imitates"}
    assert {label["eventId"] for label in whole.labelled("event")} == whole.events.keys()


def test_the_fields_of_an_event_do_not_tell_what_it_is_about(whole: Set) -> None:
    part = {label["eventId"]: label["part"] for label in whole.labelled("event")}
    filling = {"routine", "periodic", "noise", "conflicting"}
    fields: dict[str, Callable[[Row], bool]] = {
        "entities": lambda event: "entities" in event,
        "relatedUsers": lambda event: "relatedUsers" in event,
        "urgency": lambda event: event["urgency"] == "high",
    }
    for name, has in fields.items():
        shares: dict[str, list[tuple[bool, bool]]] = {}
        for key, event in whole.events.items():
            shares.setdefault(event["source"]["kind"], []).append((part[key] in filling, has(event)))
        of_scenes = {kind: fmean(has for filled, has in pairs if not filled) for kind, pairs in shares.items()}
        for kind, pairs in shares.items():
            filled = [has for is_filling, has in pairs if is_filling]
            if min(len(filled), len(pairs) - len(filled)) >= 40:
                assert abs(fmean(filled) - of_scenes[kind]) < 0.15, (name, kind)
        for of in filling:
            events = [event for key, event in whole.events.items() if part[key] == of]
            # Where less than a handful is to be expected there may be none.
            if sum(of_scenes[event["source"]["kind"]] for event in events) >= 5:
                assert any(has(event) for event in events), (name, of)


def test_no_text_of_a_scene_stands_twice(whole: Set) -> None:
    label = {label["eventId"]: label for label in whole.labelled("event")}
    scenes = [
        (line["group"], line["event"]["text"])
        for line in whole.arrivals
        if label[line["event"]["eventId"]]["part"] in ("scene", "plan", "track")
    ]
    assert len(scenes) == len(set(scenes))


def test_what_took_time_is_told_after_it_and_what_hangs_on_a_day_follows_it(whole: Set) -> None:
    rows = read(whole.folder / "stages/2-timeline.jsonl")
    scenes = {(row["group"], row["scene"]["id"]): row["scene"] for row in rows if "scene" in row}
    checked = 0
    for row in read(whole.folder / "stages/3-streams.jsonl"):
        scene = scenes.get((row["group"], row.get("scene", "")))
        if scene is None or "T" not in row.get("occurredAt", ""):
            continue
        kind, at = LIBRARY.kinds[scene["kind"]], datetime.fromisoformat(row["occurredAt"])
        start = datetime.fromisoformat(scene["start"])
        view = next((view for view in kind.views if view.name == row["view"]), None)
        if view and kind.lasts and f"{{{kind.lasts}}}" in view.say.en:
            assert at >= start + timedelta(minutes=int(float(scene["values"][kind.lasts][0])))
            checked += 1
        if view and view.source == "calendar" and "ahead" in view.flags:
            assert at < start
            checked += 1
    assert checked >= 30


def test_a_timeline_that_contradicts_time_is_found_and_its_days_are_mended() -> None:
    one = scenario.build(LIBRARY, SEED, 0, "en")

    def rules(kinds: dict[str, Kind], told: Timeline) -> set[str]:
        return {fault.rule for fault in timeline_review.check(replace(LIBRARY, kinds=kinds), one.world, told)}

    kinds = dict(LIBRARY.kinds)
    assert rules(kinds, one.timeline) == set()
    lasting = next(scene.kind for scene in one.timeline.scenes if kinds[scene.kind].name == "repair")
    at_once = tuple(replace(view, until="", after=timedelta()) for view in kinds[lasting].views)
    spoilt = kinds | {lasting: replace(kinds[lasting], views=at_once)}
    assert {"told_before_its_end", "booked_afterwards"} <= rules(spoilt, one.timeline)

    dated = next(scene for scene in one.timeline.scenes if kinds[scene.kind].family == "plan")
    later = replace(dated, start=dated.start + timedelta(days=2))
    moved = replace(one.timeline, scenes=tuple(later if s.id == dated.id else s for s in one.timeline.scenes))
    assert "day_left_behind" in rules(kinds, moved)
    mended, _ = reviewed(
        moved,
        lambda told: list(timeline_review.check(LIBRARY, one.world, told)),
        lambda told, fault: timeline_review.correct(LIBRARY, told, fault),
    )
    assert mended.scene(dated.id).values["final"] != dated.values["final"]


def test_a_link_by_id_is_carried_by_a_number_that_both_sides_and_no_noise_hold(whole: Set) -> None:
    part = {label["eventId"]: label for label in whole.labelled("event")}
    by_id = [link for link in whole.labelled("link") if link["carriedBy"] == "id"]
    for link in by_id:
        for side in ("causeEvents", "effectEvents"):
            assert link[side]
            assert all(holds(whole.events[key]["text"], [link["id"]]) for key in link[side])
        holders = [key for key, event in whole.events.items() if holds(event["text"], [link["id"]])]
        holders = [key for key in holders if part[key]["group"] == link["group"]]
        assert {part[key]["scene"] for key in holders} == {link["cause"], link["effect"]}


def test_why_questions_said_to_be_carried_are_carried_by_what_their_viewer_sees(whole: Set) -> None:
    links = {(link["group"], link["cause"], link["effect"]): link for link in whole.labelled("link")}
    questions = {question["questionId"]: question for question in whole.questions}
    carried = 0
    for label in whole.labelled("question"):
        question = questions[label["questionId"]]
        if question["category"] != "causal_reasoning":
            continue
        evidence = set(question["evidence"])
        chain = [links[label["group"], link["cause"], link["effect"]] for link in label["links"]]
        shown = all(evidence & set(link["causeEvents"]) and evidence & set(link["effectEvents"]) for link in chain)
        assert shown is label["carriedAtEveryLink"]
        assert len(chain) >= 2
        carried += shown
    assert carried >= 40


def test_values_change_with_and_without_wording_and_in_every_way(whole: Set) -> None:
    verdicts = whole.labelled("verdict")
    kinds = {(label["verdict"], label["worded"]) for label in verdicts}
    assert {("UPDATE", True), ("CONFLICT", False), ("REFINE", False), ("INVALIDATE", True), ("ADD", True)} <= kinds
    assert any(label["late"] for label in verdicts)
    for label in verdicts:
        event = whole.events[label["eventId"]]
        assert (event["subject"], event["key"], event["value"]) == (label["subject"], label["key"], label["value"])


def test_a_person_has_one_history_of_a_value(whole: Set) -> None:
    scene_of = {label["eventId"]: label["scene"] for label in whole.labelled("event")}
    histories: dict[tuple[str, str, str], set[str]] = {}
    for label in whole.labelled("verdict"):
        of = (label["group"], label["subject"], label["key"])
        histories.setdefault(of, set()).add(scene_of[label["eventId"]])
    assert len(histories) >= 12 * SCENARIOS
    assert all(len(scenes) == 1 for scenes in histories.values())


def test_a_late_value_happened_before_and_arrives_after_the_values_that_replaced_it(whole: Set) -> None:
    arrived, stated = whole.arrived, whole.labelled("verdict")
    for late in (label for label in stated if label["late"]):
        same = [
            other
            for other in stated
            if all(other[n] == late[n] for n in ("group", "subject", "key")) and other is not late
        ]
        changed = [other for other in same if other["verdict"] == "UPDATE"]
        assert changed
        for other in changed:
            assert whole.events[late["eventId"]]["occurredAt"] < whole.events[other["eventId"]]["occurredAt"]
            assert arrived[late["eventId"]] > arrived[other["eventId"]]


def test_noise_imitates_evidence_and_holds_no_fact(whole: Set) -> None:
    groups = {line["event"]["eventId"]: line["group"] for line in whole.arrivals}
    noise = [label for label in whole.labelled("event") if label["part"] == "adversarial"]
    needed = {key for question in whole.questions for key in question["evidence"]}
    assert {label["mode"] for label in noise} == {"wrong_date", "wrong_person", "wrong_place", "wrong_device"}
    assert len(noise) == 1200
    items: dict[str, list[Row]] = {}
    for question in whole.questions:
        items.setdefault(question["group"], []).extend(question["checklist"])
    for label in noise:
        assert label["imitates"] in needed
        assert label["eventId"] not in needed
        event = whole.events[label["eventId"]]
        assert not any(held(event, item) for item in items[groups[label["eventId"]]])


def test_every_stage_lies_in_a_file_with_its_review(whole: Set) -> None:
    stages = sorted((whole.folder / "stages").iterdir())
    assert [path.name[:2] for path in stages] == ["1-", "2-", "3-", "4-", "5-", "6-"]
    for path in stages:
        assert any("review" in row for row in read(path))
