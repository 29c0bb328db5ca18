"""What one GraphQL document may ask for, counted before any of it is checked further or run.

Strawberry's own limits of depth and aliases walk through a fragment as often as it is named, so that sixty fragments
that name the next one twice keep them busy for ever; and they run among rules whose time grows with the square of the
fields. Here each fragment is measured once, and the measures are added up.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
)
from strawberry.extensions import SchemaExtension

MOST_TOKENS: Final = 10_000
"""Words and signs of a document; what is long travels in variables."""

MOST_FIELDS: Final = 20
"""Top-level fields of an operation, those of its fragments among them."""

MOST_SEARCHES: Final = 10
"""Searches among them."""

MOST_SELECTED: Final = 500
"""Fields of an operation on all levels: six searches with all that an answer has."""

DEEPEST: Final = 24
"""Levels of a document: selections and fragments that stand in each other."""

_SEARCH: Final = "search"
_CEILING: Final = 10 * MOST_SELECTED  # what is too much need not be counted further


class _Measure(NamedTuple):
    """How much a selection asks for."""

    fields: int = 0
    searches: int = 0
    selected: int = 0
    levels: int = 0

    def plus(self, other: "_Measure") -> "_Measure":
        """Return what two selections ask for that stand beside each other."""
        fields, searches, selected = (
            min(mine + theirs, _CEILING) for mine, theirs in zip(self[:3], other, strict=False)
        )
        return _Measure(fields, searches, selected, max(self.levels, other.levels))


class Limits(SchemaExtension):
    """Refuses a document that asks for too much, before the schema's rules look at it."""

    def on_validate(self) -> Iterator[None]:
        """Measure the document."""
        document = self.execution_context.graphql_document
        if document is not None and (error := too_much(document)):
            self.execution_context.pre_execution_errors = [error]
        yield


def too_much(document: DocumentNode) -> GraphQLError | None:
    """Return the error of a document that asks for too much, naming the limit."""
    walk = _Walk({one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)})
    try:
        for definition in document.definitions:
            if isinstance(definition, FragmentDefinitionNode):  # what nobody uses is checked by the rules, too
                walk.fragment(definition.name.value, 0)
            elif isinstance(definition, OperationDefinitionNode):
                _require(walk.measure(definition.selection_set, 0), definition)
    except GraphQLError as error:
        return error
    return None


def _require(found: _Measure, operation: OperationDefinitionNode) -> None:
    for count, limit, what in (
        (found.searches, MOST_SEARCHES, "searches"),
        (found.fields, MOST_FIELDS, "top-level fields"),
        (found.selected, MOST_SELECTED, "fields on all levels"),
    ):
        if count > limit:
            told = f"more than {_CEILING:,}" if count == _CEILING else f"{count:,}"
            raise GraphQLError(
                f"The operation asks for {told} {what}; at most {limit:,} are answered. Send several requests.",
                operation,
            )


class _Walk:
    """Measures selections; each fragment once."""

    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode]) -> None:
        self._fragments = fragments
        self._measured: dict[str, _Measure] = {}

    def measure(self, selections: SelectionSetNode, level: int) -> _Measure:
        """Return what a set of selections asks for.

        Raises:
            GraphQLError: it nests too deep.
        """
        found = _Measure()
        if level <= DEEPEST:
            for selection in selections.selections:
                found = found.plus(self._selection(selection, level + 1))
        if level + found.levels > DEEPEST:  # what stands in a fragment that was measured before stands here, too
            raise GraphQLError(f"The document nests deeper than {DEEPEST} levels.", selections)
        return found._replace(levels=found.levels + 1)

    def fragment(self, name: str, level: int) -> _Measure:
        """Return what a fragment asks for; one that is unknown, or names itself, is refused by the schema's rules."""
        if name not in self._measured:
            self._measured[name] = _Measure()  # what stands within itself adds nothing
            if name in self._fragments:
                self._measured[name] = self.measure(self._fragments[name].selection_set, level)
        return self._measured[name]

    def _selection(self, selection: SelectionNode, level: int) -> _Measure:
        if isinstance(selection, FieldNode):
            below = self.measure(selection.selection_set, level) if selection.selection_set else _Measure()
            return _Measure(1, selection.name.value == _SEARCH, 1 + below.selected, below.levels)
        if isinstance(selection, FragmentSpreadNode):
            return self.fragment(selection.name.value, level)
        if isinstance(selection, InlineFragmentNode):
            return self.measure(selection.selection_set, level)
        raise TypeError(f"{selection.kind} is no selection")
