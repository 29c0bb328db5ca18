"""What MemFuseBench promises holds whatever the seed, the place in the set and the language."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.memfusebench import library, report, scenario
from bench.memfusebench.asking import supports
from bench.memfusebench.filtering import Rules, quotas
from bench.memfusebench.model import SetLang
from bench.memfusebench.words import holds

CONTENT = library.load()

seeds = st.integers(0, 10**9)
places = st.integers(0, 59)
languages: st.SearchStrategy[SetLang] = st.sampled_from(["en", "zh", "mixed"])


@settings(max_examples=5, derandomize=True)
@given(seeds, places, languages)
def test_every_scenario_keeps_every_promise(seed: int, place: int, lang: SetLang) -> None:
    one = scenario.build(CONTENT, seed, place, lang)
    events = one.everything.events
    by_id = {event.id: event for event in events}
    added = {event.id for event in one.noise.events}
    assert len(by_id) == len(events) == 1304 - (place % 6 == 5)
    assert [event.arrives for event in events] == sorted(event.arrives for event in events)
    assert len(one.questions) == sum(quotas(place).values())
    for question in one.questions:
        evidence = [by_id[event_id] for event_id in question.evidence]
        assert added.isdisjoint(question.evidence)
        assert all(event.visible_to(question.viewer) for event in evidence)
        assert all(max(event.at, event.arrives) < question.asked_at for event in evidence)
        assert all(any(supports(event, item) for event in evidence) for item in question.checklist if not item.derived)
        assert not holds(question.text, [phrase for item in question.checklist for phrase in item.any_of])
        shown = [event for event in events if event.visible_to(question.viewer)]
        assert not any(all(supports(event, item) for item in question.checklist) for event in shown)
    # With the noise in, the answers stand on the same events as before it.
    assert [question.id for question in one.questions if Rules(one.asker).fault_of(question)] == []
    # Of one scenario's sixty questions fewer than 30 % may need a second hop; of the six of a set together, no fewer.
    broken = report.broken(report.measured([one])["overall"], whole=False)
    assert {line.split()[0] for line in broken} <= {"second_hop"}
