"""Questions about something that does not change any more: each is answered once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

Owner = TypeVar("Owner")
Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


def asked_once(method: Callable[[Owner, Key], Answer]) -> Callable[[Owner, Key], Answer]:
    """Keep the answers of a method of one argument with the object, and free them with it."""
    name = f"answers of {method.__name__}"

    @wraps(method)
    def asked(self: Owner, key: Key) -> Answer:
        answers: dict[Key, Answer] = self.__dict__.get(name) or self.__dict__.setdefault(name, {})
        if key not in answers:
            answers[key] = method(self, key)
        return answers[key]

    return asked
