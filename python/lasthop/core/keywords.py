"""Functions whose keyword arguments are the fields of a dataclass, so that a list of options is written
once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from lasthop.errors import offered

A = TypeVar("A")
B = TypeVar("B")
R = TypeVar("R")
P = ParamSpec("P")
O_co = TypeVar("O_co", covariant=True)


class Taking(Protocol[O_co, P]):
    """Turns a function of one or two things and options into one of these things and the options' fields."""

    @overload
    def __call__(self, function: Callable[[A, O_co], R]) -> Callable[Concatenate[A, P], R]: ...

    @overload
    def __call__(
        self, function: Callable[[A, B, O_co], R]
    ) -> Callable[Concatenate[A, B, P], R]: ...


def fields_of(options: Callable[P, O_co]) -> Taking[O_co, P]:
    """Make a decorator: the last argument, of the dataclass `options`, is given by its fields.

    `inspect.signature` and `help` show these, with their docs from the dataclass.
    """

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        things = list(inspect.signature(function).parameters.values())[:-1]
        fields = inspect.signature(options).parameters
        signature = inspect.Signature([*things, *fields.values()])

        @wraps(function)
        def flat(*args: Any, **named: Any) -> R:
            try:
                given = signature.bind(*args, **named).arguments
            except TypeError as error:
                wrong = next((name for name in named if name not in signature.parameters), None)
                hint = "" if wrong is None else offered(wrong, signature.parameters)
                raise TypeError(f"{function.__name__}(): {error}{hint}") from None
            mine = {name: given.pop(name) for name in fields if name in given}
            return function(*given.values(), cast(Any, options)(**mine))

        flat.__signature__ = signature  # type: ignore[attr-defined]
        of = (cls for cls in inspect.getmro(cast(type, options))[::-1] if is_dataclass(cls))
        flat.__doc__ = "\n\n".join(str(inspect.getdoc(each)) for each in (function, *of))
        return flat

    return cast("Taking[O_co, P]", decorate)
