"""The instances of a Part 21 file by number and by entity, parsed when they are asked for.

The index of the text says where each instance begins and which entities it is of; its parameters are parsed at the first question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from spatial.formats.step import names
from spatial.formats.step.part21 import Part21
from spatial.formats.step.schema import ATTRIBUTES, LINEAGES, subtypes
from spatial.formats.step.values import Malformed, Reference, Typed, values_of

_ENCODINGS: Final = {
    names.UTF_8: "utf-8", names.CYRILLIC: "cp1251", names.WESTERN: "cp1252", names.JAPANESE: "cp932", names.CHINESE: "gb18030",
}  # fmt: skip
"""Python's names for the kernel's code pages."""


@dataclass(frozen=True)
class Instance:
    """One instance; two with the same number are the same."""

    number: int
    parts: dict[str, dict[str, Any]] = field(compare=False)
    """For each of its entities, with supertypes, the attributes that this entity declares."""

    def is_a(self, entity: str) -> bool:
        """Whether it is of an entity or of a kind of it."""
        return entity in self.parts

    def get(self, attribute: str) -> Any:
        """The value of `entity.attribute`; None where it has no such attribute or the file leaves it out."""
        entity, _, name = attribute.partition(".")
        return self.parts.get(entity, {}).get(name)

    def text(self, attribute: str) -> str | None:
        """The same, where it is a text that is not empty."""
        value = self.get(attribute)
        return (value.strip() or None) if isinstance(value, str) else None

    def number_at(self, attribute: str) -> int | None:
        """The number of the instance that an attribute refers to."""
        value = self.get(attribute)
        return value.number if isinstance(value, Reference) else None

    def numbers_at(self, attribute: str) -> list[int]:
        """The numbers of all instances that an attribute refers to, in its order."""
        return list(references(self.get(attribute)))


def references(value: Any) -> Iterator[int]:
    """The numbers of all references in a value, however deep; values are at most `DEPTH` deep."""
    if isinstance(value, Reference):
        yield value.number
    elif isinstance(value, Typed):
        yield from references(value.values)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


class Instances:
    """All instances of a file."""

    def __init__(self, text: Part21) -> None:
        self._text = text
        self._parsed: dict[int, Instance | None] = {}
        self.malformed: list[int] = []
        """Numbers of instances that were asked for and do not follow the syntax."""
        self.missing: list[int] = []
        """Numbers that are referred to and not in the file."""

    @cached_property
    def _encoding(self) -> str:
        return _ENCODINGS[names.code_page(self._text.raw)]

    def __contains__(self, number: int) -> bool:
        return number in self._text.statements[0]

    def of(self, *entities: str) -> list[Instance]:
        """The instances of entities and of all kinds of them, in the order of their numbers."""
        wanted = frozenset().union(*(subtypes(entity) or {entity} for entity in entities))
        numbers = {number for name in wanted for number in self._text.statements[1].get(name, ())}
        return [found for number in sorted(numbers) if (found := self.get(number)) is not None]

    def get(self, number: int | None) -> Instance | None:
        """An instance; None where the file has none of this number, or it cannot be parsed."""
        if number is None:
            return None
        if number not in self._parsed:
            self._parsed[number] = self._read(number)
        return self._parsed[number]

    def at(self, source: Instance, attribute: str) -> Instance | None:
        """The instance that an attribute refers to."""
        return self.get(source.number_at(attribute))

    def all_at(self, source: Instance, attribute: str) -> list[Instance]:
        """The instances that an attribute refers to."""
        return [found for number in source.numbers_at(attribute) if (found := self.get(number)) is not None]

    def referring(self, entity: str, attribute: str) -> dict[int, list[Instance]]:
        """The instances of an entity by the numbers that one of its attributes refers to."""
        found: dict[int, list[Instance]] = defaultdict(list)
        for each in self.of(entity):
            for number in each.numbers_at(attribute):
                found[number].append(each)
        return found

    def raw(self, number: int) -> bytes:
        """The text of an instance after its `=`; empty where there is none."""
        begin, end = self._text.statements[0].get(number, (0, 0))
        return self._text.text[begin:end]

    def _read(self, number: int) -> Instance | None:
        if number not in self:
            self.missing.append(number)
            return None
        try:
            values = values_of(self.raw(number), self._encoding)
        except Malformed:
            self.malformed.append(number)
            return None
        parts = values[0] if len(values) == 1 and isinstance(values[0], list) else values
        read = Instance(number, {})
        for part in parts:
            if isinstance(part, Typed):
                read.parts.update(_simple(part) if len(parts) == 1 else _own(part))
        return read


def _own(part: Typed) -> dict[str, dict[str, Any]]:
    """One entity of a complex instance with its own attributes; a file writes the entities above it beside it."""
    return {part.keyword: dict(zip(ATTRIBUTES.get(part.keyword, ()), part.values, strict=False))}


def _simple(part: Typed) -> dict[str, dict[str, Any]]:
    """The attributes of a simple instance, each with the entity that declares it."""
    values = iter(part.values)
    return {
        entity: {name: next(values, None) for name in ATTRIBUTES[entity]} for entity in LINEAGES.get(part.keyword, ())
    } or {part.keyword: {}}
