"""The keys of what objects hold: `rows[0]`, `batch["done"]`, `self.env`."""

from __future__ import annotations

from dataclasses import dataclass


class PlainData:
    """Fields alone, which go to a worker as they are."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type[PlainData], tuple[object, ...]]:
        """Pickled as a call of the class: surveys have thousands of operations, and come back from workers."""
        return type(self), self._operands()

    def _operands(self) -> tuple[object, ...]:
        slots: tuple[str, ...] = self.__slots__
        return tuple([getattr(self, name) for name in slots])


class Key(PlainData):
    """What an object keeps an element under."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class IndexKey(Key):
    """The position of an element; negative: counted from the end."""

    position: int


@dataclass(frozen=True, slots=True)
class TextKey(Key):
    """A constant string in brackets, or the name of a record's field."""

    text: str


@dataclass(frozen=True, slots=True)
class AttributeKey(Key):
    """The name of an attribute of an instance."""

    name: str


#: The name of an attribute whose name is computed: `setattr(self, name, zeros(shape))` in a loop over names.
ANY_NAME = "*"


@dataclass(frozen=True, slots=True)
class SliceKey(Key):
    """All elements from `start` on; 0 stands for every other slice too."""

    start: int = 0


@dataclass(frozen=True, slots=True)
class AnyKey(Key):
    """A key that is not known."""


ANY = AnyKey()


@dataclass(frozen=True, slots=True)
class OtherKey(Key):
    """A key that is not known, of a mapping that makes an element for each key: not one of those that are."""


OTHER = OtherKey()
