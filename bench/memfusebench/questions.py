"""Stage 4: questions in the six categories, with answer, checklist and complete evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from bench.memfusebench.asking import Asker, asks_of, bearing, carriers
from bench.memfusebench.model import Both, Event, Fault, Item, Lang, Link, Question, Scene
from bench.memfusebench.texts import both, phrases, say_date, token
from bench.memfusebench.timeline import SEALED

_SHORTEST_CHAIN = 3
_FEWEST_ITEMS = 2
_FEWEST_EVIDENCE = 3


def build(asker: Asker) -> tuple[Question, ...]:
    """Return all candidates, more than are asked in the end."""
    makers = (causal, fusion, conflict, synthesis, cross_user, perspective)
    made = (question for maker in makers for question in maker(asker))
    return tuple(replace(question, id=f"candidate-{n}") for n, question in enumerate(made))


def causal(asker: Asker) -> Iterator[Question]:
    """Ask why a scene came about: the chain of causes back to its root."""
    for scene in asker.timeline.scenes:
        chain, links = _carried_chain(asker, scene)
        if len(chain) < _SHORTEST_CHAIN:
            continue
        viewer = asker.viewer()
        lang = asker.world.person(viewer).lang
        items = [item for cause in chain[:-1] for item in _what_it_was(asker, cause, lang)]
        evidence = _of_chain(asker, chain, links, viewer, items)
        text = asker.say(asker.kind(scene).text["why"], {**scene.values, **asker.when(scene)}, lang)
        text += (" " if lang == "en" else "") + asker.frame("causal", "each").of(lang)
        clauses = [
            asker.say(asker.frame("causal", "then" if n else "says"), {"clause": both(item.fact)}, lang)
            for n, item in enumerate(items)
        ]
        answer = (" " if lang == "en" else "").join(clauses)
        yield asker.question("causal_reasoning", text, viewer, answer, items, evidence, chain, links)


def _carried(asker: Asker) -> list[Link]:
    """Return the links that events carry; of the others nobody could know."""
    return [link for link in asker.timeline.links if link.carried_by != "none"]


def _carried_chain(asker: Asker, scene: Scene) -> tuple[list[Scene], list[Link]]:
    """Return a scene's causes, the first one first, with the scene at the end, and the links between them."""
    chain = [scene]
    links: list[Link] = []
    while found := next((link for link in _carried(asker) if link.effect == chain[0].id), None):
        links.insert(0, found)
        chain.insert(0, asker.timeline.scene(found.cause))
    return chain, links


def _of_chain(
    asker: Asker, chain: Sequence[Scene], links: Sequence[Link], viewer: str, items: Sequence[Item]
) -> list[Event]:
    seen = {scene.id: asker.seen(scene, viewer) for scene in chain}
    evidence = [event for scene in chain for event in bearing(seen[scene.id], items)]
    for link in links:
        for side in carriers(link, seen[link.cause], seen[link.effect]):
            evidence.extend(side)
    return evidence


def _what_it_was(asker: Asker, scene: Scene, lang: Lang) -> list[Item]:
    """Return what names a scene as one of a chain: who, what or where it was, in the sentence that tells it."""
    told = asker.say(asker.kind(scene).text["clause"], scene.values, lang, inside=True)
    return [replace(item, fact=told) for item in asker.items(scene, asker.kind(scene).key, lang)]


def fusion(asker: Asker) -> Iterator[Question]:
    """Ask for what no single source tells of a scene, and for what came of it."""
    for scene in asker.timeline.scenes:
        effect = next((link for link in _carried(asker) if link.cause == scene.id), None)
        if effect is None:
            continue
        for ask in asks_of(asker.kind(scene), "information_fusion"):
            viewer = asker.viewer()
            lang = asker.world.person(viewer).lang
            items = asker.items(scene, ask.facts, lang)
            text = asker.say(ask.say, {**scene.values, **asker.when(scene)}, lang)
            scenes = [scene, asker.timeline.scene(effect.effect)]
            items += _what_it_was(asker, scenes[1], lang)
            text += (" " if lang == "en" else "") + asker.frame("fusion", "and").of(lang)
            evidence = _of_chain(asker, scenes, [effect], viewer, items)
            answer = _listed(items, lang)
            yield asker.question("information_fusion", text, viewer, answer, items, evidence, scenes, [effect])


def conflict(asker: Asker) -> Iterator[Question]:
    """Ask for a value about which the statements differ: what stands, what stood before, who says what."""
    for scene in asker.timeline.scenes:
        if scene.pattern and scene.stance != SEALED:
            yield conflict_of(asker, scene, asker.viewer())


def conflict_of(asker: Asker, scene: Scene, viewer: str) -> Question:
    """Ask for one value; who may see none of its statements gets no evidence."""
    frame = asker.library.tables["frames"][scene.pattern]
    lang = asker.world.person(viewer).lang
    seen = asker.seen(scene, viewer)
    # A trace is written with numbers of its own: questions and answers know it by its telling part.
    values = {
        name: Both(token(value.en), token(value.zh)) if name.endswith("_alt") else value
        for name, value in scene.values.items()
    }
    over = next((event for event, label in seen if label.verdict == "INVALIDATE"), None)
    if over:
        values["over"] = Both(say_date(over.at.date(), "en"), say_date(over.at.date(), "zh"))
    items = []
    for fact in frame["facts"].split():
        slot, _, role = fact.partition("@")
        day = over.at.date() if over and slot == "over" else None
        said = phrases(values[slot])
        by = scene.cast["a"] if day else scene.cast.get(role, "")
        items.append(Item(token(values[slot].of(lang)), said, by, day, common=day is not None))
    text = asker.say(Both(*frame["ask"]), values, lang)
    answer = asker.say(Both(*frame["says"]), values, lang)
    past = frame.get("past", False)
    events = [event for event, _ in seen]
    return asker.question("conflict_arbitration", text, viewer, answer, items, events, [scene], past=past)


def synthesis(asker: Asker) -> Iterator[Question]:
    """Ask for what several persons contribute to one undertaking."""
    for scene in asker.timeline.scenes:
        for ask in asks_of(asker.kind(scene), "multi_user_synthesis"):
            viewer = asker.viewer()
            lang = asker.world.person(viewer).lang
            items = asker.items(scene, ask.facts, lang)
            evidence = bearing(asker.seen(scene, viewer), items, ask.name)
            text = asker.say(ask.say, {**scene.values, **asker.when(scene)}, lang)
            items += _summed(scene, ask.facts, lang)
            answer = _listed(items, lang)
            yield asker.question("multi_user_synthesis", text, viewer, answer, items, evidence, [scene])


def _summed(scene: Scene, facts: Sequence[str], lang: Lang) -> list[Item]:
    """Return the sum of what each person spent, which no event states, where it is asked for."""
    if facts != ("spent",):
        return []
    total = sum(
        Decimal(value.en) for slot, value in scene.values.items() if slot.startswith("spent_") and slot[-1] != "a"
    )
    currency = scene.values["cur"].of(lang)
    fact = f"{total} {currency} in all" if lang == "en" else f"共{total}{currency}"
    return [Item(fact, (str(total),), derived=True)]


def cross_user(asker: Asker) -> Iterator[Question]:
    """Ask, as somebody else, how a person fared over weeks."""
    for scene in asker.timeline.scenes:
        for ask in asks_of(asker.kind(scene), "cross_user_query"):
            viewer = asker.viewer(but=[scene.cast["a"]])
            lang = asker.world.person(viewer).lang
            items = asker.items(scene, ask.facts, lang)
            seen = asker.seen(scene, viewer)
            # The first question is about the whole course: all of it bears on the answer.
            evidence = [event for event, _ in seen] if ask.name == "course" else bearing(seen, items)
            text = asker.say(ask.say, {**scene.values, **asker.when(scene, long=True)}, lang)
            yield asker.question("cross_user_query", text, viewer, _listed(items, lang), items, evidence, [scene])


def perspective(asker: Asker) -> Iterator[Question]:
    """Ask how two people see one scene; notes that only their writer may see count for the writer alone."""
    for scene in asker.timeline.scenes:
        if scene.stance and scene.stance != SEALED:
            viewer = asker.viewer([scene.cast["a"], scene.cast["b"]] if scene.stance == "private" else None)
            yield perspective_of(asker, scene, viewer)


def perspective_of(asker: Asker, scene: Scene, viewer: str) -> Question:
    """Ask how two people see one scene; who may see none of their words gets no items."""
    lang = asker.world.person(viewer).lang
    seen = asker.seen(scene, viewer)
    values = {**scene.values, **asker.when(scene)}
    items = []
    for slot in ("op_a", "op_b", "mood_a", "mood_b"):
        fact = asker.say(asker.frame("perspective", slot), values, lang, inside=True)
        item = Item(fact, phrases(scene.values[slot]), scene.cast[slot[-1]])
        if bearing([pair for pair in seen if not pair[1].core], [item]):
            items.append(item)
    evidence = bearing(seen, items)
    text = asker.say(asker.frame("perspective", "ask"), values, lang)
    return asker.question("perspective_difference", text, viewer, _listed(items, lang), items, evidence, [scene])


def _listed(items: Sequence[Item], lang: str) -> str:
    facts = [item.fact for item in items]
    text = "; ".join(facts) + "." if lang == "en" else "；".join(facts) + "。"  # noqa: RUF001 (a Chinese list)
    return text[:1].upper() + text[1:]


def check(questions: Sequence[Question]) -> list[Fault]:
    """Return questions with an open slot, too short a checklist, or hardly any evidence."""
    faults = []
    for question in questions:
        if "{" in question.text + question.answer or "[" in question.text + question.answer:
            faults.append(Fault("open_slot", question.id, question.text + question.answer))
        if len(question.checklist) < _FEWEST_ITEMS:
            faults.append(Fault("short_checklist", question.id, f"{len(question.checklist)} items"))
        if len(question.evidence) < _FEWEST_EVIDENCE:
            faults.append(Fault("little_evidence", question.id, f"{len(question.evidence)} events"))
    return faults


def correct(questions: tuple[Question, ...], fault: Fault) -> tuple[Question, ...]:
    """Leave out a faulty candidate."""
    return tuple(question for question in questions if question.id != fault.where)
