"""Names of groups and users, and what a scope may do."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import AccessDenied, InvalidInput
from graph.scope import (
    ALL_RIGHTS,
    GROUP_AUDIENCE,
    GROUP_RULE,
    USER_RULE,
    Right,
    Scope,
    System,
    check_group,
    check_user,
    tag,
)


@pytest.mark.parametrize("name", ["团队甲", "home", "Ärzte", "дом", "a", "a_b.c:d-e", "x" * 64, "2", "समूह", "กลุ่ม"])
def test_a_group_name_of_any_script(name: str) -> None:
    assert Scope(name, "ann").group == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "",
        " ",
        "x" * 65,
        "a/b",
        'a"b',
        "a'b",
        "a\\b",
        "a`b",
        "a\n",
        "\ta",
        "🙂",
        "a@b",
        "{a}",
        "\ud800",
        "a\u200bb",
        "a\x1fb",
    ],
)
def test_a_bad_group_name_is_refused_with_the_rule(name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Scope(name, "ann")
    assert GROUP_RULE in str(refusal.value)
    str(refusal.value).encode()


@pytest.mark.parametrize(
    "name", ["ann", "ann@example.org", "ann+home@example.org", "小明", "x" * 128, "Group", "a.b:c-d_e"]
)
def test_a_user_id(name: str) -> None:
    assert Scope("home", name).viewer == name
    assert check_user(name) == name


@pytest.mark.parametrize("name", ["", "a b", "x" * 129, GROUP_AUDIENCE, "ann\n", 'a"', "a\\", "🙂", "\udfff", "a\x1fb"])
def test_a_bad_user_id_is_refused_with_the_rule_and_the_field(name: str) -> None:
    for field, attempt in (("viewer", lambda: Scope("home", name)), ("userId", lambda: check_user(name, "userId"))):
        with pytest.raises(InvalidInput) as refusal:
            attempt()
        assert USER_RULE in str(refusal.value)
        assert f"{field}: " in str(refusal.value)


def test_a_long_bad_name_is_not_repeated_whole() -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_group("x " * 1_000_000)
    assert len(str(refusal.value)) < 500


def test_two_spellings_of_one_sign_are_one_name() -> None:
    assert check_group("fu\u0308r") == check_group("f\u00fcr")
    assert Scope("e\u0301", "e\u0301") == Scope("\u00e9", "\u00e9")


@given(st.text(st.characters(exclude_categories=()), max_size=70))
def test_a_name_is_kept_as_it_will_be_found_or_refused(name: str) -> None:
    try:
        kept = check_group(name)
    except InvalidInput:
        return
    assert check_group(kept) == kept
    assert 1 <= len(kept) <= 64
    assert not set(kept) & set("\"'`\\{}()<>[] \t\n\r\x1f/")
    kept.encode()


def test_a_viewer_sees_the_groups_atoms_and_their_own() -> None:
    scope = Scope("home", "ann")
    assert scope.audiences == [GROUP_AUDIENCE, "ann"]
    assert scope.parameters() == {"group_id": "home", "audiences": [GROUP_AUDIENCE, "ann"]}


def test_the_system_scope_names_no_group() -> None:
    assert System("audit").parameters() == {}


def test_a_scope_does_what_its_rights_say() -> None:
    reader = Scope("home", "ann", frozenset({Right.READ}))
    reader.require(Right.READ)
    for right in ALL_RIGHTS - {Right.READ}:
        with pytest.raises(AccessDenied, match=right.value):
            reader.require(right)
    assert Scope("home", "ann").rights == ALL_RIGHTS == frozenset(Right)


def test_a_tag_is_one_token_and_its_own() -> None:
    tags = {tag("home"), tag("home", "ann"), tag("home", "ben"), tag("work", "ann"), tag("团队甲")}
    assert len(tags) == 5
    assert all(len(one) == 24 and one.isalnum() and one.isascii() for one in tags)
