"""The review of stage 2: what cannot be in a timeline, and how it is repaired."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from typing import Final

from bench.memfusebench.library import VALUES, Library
from bench.memfusebench.model import Fault, Kind, Timeline, View, World
from bench.memfusebench.timeline import MARGIN, dated

_TOGETHER: Final = timedelta(minutes=100)
_NUDGE: Final = timedelta(minutes=110)
_AGAIN: Final = timedelta(days=6)
_MOST_WORDED: Final = 0.3


def check(library: Library, world: World, timeline: Timeline) -> list[Fault]:
    """Return what cannot be, or must not be, in a timeline."""
    return [
        *_at_once(library, timeline),
        *_out_of_order(library, world, timeline),
        *_repeated(timeline),
        *_wordy(timeline),
        *_told_too_soon(library, timeline),
        *_left_behind(library, timeline),
    ]


def _at_once(library: Library, timeline: Timeline) -> Iterator[Fault]:
    """Yield scenes that put a person into two places, or into one kind of scene twice within days."""
    told = [scene for scene in timeline.scenes if library.kinds[scene.kind].family == "scene"]
    for other, scene in combinations(told, 2):
        apart = abs(scene.start - other.start)
        if scene.cast["a"] == other.cast["a"] and apart < _TOGETHER:
            yield Fault("in_two_scenes", scene.id, other.id)
        if scene.cast["a"] == other.cast["a"] and scene.kind == other.kind and apart < _AGAIN:
            yield Fault("happens_again", scene.id, other.id)


def _views(kind: Kind) -> list[View]:
    return [view for view in (*kind.views, kind.by_id, kind.by_wording) if view]


def _out_of_order(library: Library, world: World, timeline: Timeline) -> Iterator[Fault]:
    """Yield effects of which something is seen before their causes, and scenes at the very end of the days."""
    for link in timeline.links:
        effect = timeline.scene(link.effect)
        first = effect.start + min(view.after for view in _views(library.kinds[effect.kind]))
        if first <= timeline.scene(link.cause).start:
            yield Fault("effect_first", link.effect, link.cause)
    last = world.first_day + timedelta(days=world.days - MARGIN)
    for scene in timeline.scenes:
        if scene.start.date() > last:
            yield Fault("too_late", scene.id, str(scene.start))


def _repeated(timeline: Timeline) -> Iterator[Fault]:
    """Yield numbers given twice, and values that change into themselves."""
    refs = Counter(scene.values["ref"].en for scene in timeline.scenes if scene.values["ref"].en)
    for ref, count in refs.items():
        if count > 1:
            yield Fault("number_twice", ref, f"{count} scenes")
    for scene in timeline.scenes:
        if scene.pattern and len({scene.values[value].en for value in VALUES}) < len(VALUES):
            yield Fault("same_value", scene.id, scene.kind)


def _wordy(timeline: Timeline) -> Iterator[Fault]:
    """Yield a link put into words while too many are."""
    worded = [link for link in timeline.links if link.carried_by == "wording"]
    if len(worded) > _MOST_WORDED * len(timeline.links):
        yield Fault("too_many_words", worded[-1].effect, f"{len(worded)} of {len(timeline.links)}")


def _told_too_soon(library: Library, timeline: Timeline) -> Iterator[Fault]:
    """Yield scenes whose length a source tells before their end, or that are booked after they took place."""
    for scene in timeline.scenes:
        kind = library.kinds[scene.kind]
        for view in _views(kind):
            after = view.after + timedelta(minutes=float(scene.values[view.until].en) if view.until else 0)
            if f"{{{kind.lasts}}}" in view.say.en and after < timedelta(minutes=float(scene.values[kind.lasts].en)):
                yield Fault("told_before_its_end", scene.id, view.name)
            if view.source == "calendar" and "ahead" in view.flags and after >= timedelta():
                yield Fault("booked_afterwards", scene.id, view.name)


def _left_behind(library: Library, timeline: Timeline) -> Iterator[Fault]:
    """Yield scenes that moved while a day that hangs on theirs did not."""
    for scene in timeline.scenes:
        for slot, day in dated(library.kinds[scene.kind], scene.start.date()).items():
            if scene.values[slot] != day:
                yield Fault("day_left_behind", scene.id, slot)


def correct(library: Library, timeline: Timeline, fault: Fault) -> Timeline:
    """Repair a fault: move a scene with all that it caused, or its days, or let an id carry what wording did.

    Raises:
        ValueError: the fault is of a kind that drawing cannot make.
    """
    if fault.rule == "too_many_words":
        links = tuple(
            replace(link, carried_by="id", id=timeline.scene(link.cause).values["ref"].en)
            if link.effect == fault.where
            else link
            for link in timeline.links
        )
        return replace(timeline, links=links)
    if fault.rule == "day_left_behind":
        return replace(
            timeline,
            scenes=tuple(
                replace(scene, values={**scene.values, **dated(library.kinds[scene.kind], scene.start.date())})
                if scene.id == fault.where
                else scene
                for scene in timeline.scenes
            ),
        )
    if fault.rule in ("in_two_scenes", "effect_first"):
        return _moved(timeline, fault.where, _NUDGE)
    if fault.rule == "happens_again":
        return _moved(timeline, fault.where, timedelta(days=1))
    raise ValueError(f"No correction is known for {fault}.")


def _moved(timeline: Timeline, scene_id: str, by: timedelta) -> Timeline:
    """Return the timeline with a scene and its effects later."""
    late = {scene_id}
    for link in timeline.links:  # causes stand before their effects
        if link.cause in late:
            late.add(link.effect)
    scenes = tuple(replace(scene, start=scene.start + by) if scene.id in late else scene for scene in timeline.scenes)
    return replace(timeline, scenes=scenes)
