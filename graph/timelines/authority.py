"""Who may retire what: whose word a statement is. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from graph.ontology import Origin
from graph.timelines.said import KnownStatement, Ruling, Said, TimelineRole, Verdict

_AUTHORITY: Final = {Origin.USER_STATED: 3, Origin.OBSERVED: 2, Origin.INFERRED: 1, Origin.EXTERNAL: 0}


def authorised(said: Said, known: Sequence[KnownStatement], ruling: Ruling) -> Ruling:
    """Lower a ruling that would retire what its speaker may not retire."""
    retires = ruling.verdict in (Verdict.UPDATE, Verdict.REFINE, Verdict.INVALIDATE)
    standing = {one.id: one for one in known}
    if not retires or all(may_retire(said, standing[target]) for target in ruling.targets):
        return ruling
    rule = f"{ruling.rule}, without the authority to retire"
    if ruling.verdict is Verdict.UPDATE:
        return replace(ruling, verdict=Verdict.CONFLICT, rule=rule, to_confirm=True)
    return Ruling(Verdict.ADD, rule, ruling.words, timeline_role=TimelineRole.OFF, to_confirm=True)


def may_retire(said: Said, old: KnownStatement) -> bool:
    """Tell whether a statement may retire another: what users said, only they or its subject may, and only so."""
    if _users(old, said.subject):
        return said.origin == Origin.USER_STATED and may_say(said.user_id, old, said.subject)
    return _AUTHORITY[Origin(said.origin)] >= _AUTHORITY[Origin(old.origin)]


def may_say(user: str, old: KnownStatement, subject: str) -> bool:
    """Tell whether a user may say that a statement about a subject is over: who said it, or its subject.

    What its subject said, nobody else may.
    """
    users = _users(old, subject)
    return not users or user in {*users, subject}


def _users(old: KnownStatement, subject: str) -> set[str]:
    """Return the users whose word a statement is; its subject alone where it is one of them."""
    users = {*old.stated_by, *([old.user_id] if old.origin == Origin.USER_STATED else [])}
    return {subject} if subject in users else users
