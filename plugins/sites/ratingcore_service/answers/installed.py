"""What is installed: methods, formats of files, and what a policy may say."""

from collections.abc import Iterable

import attrs

from ratingcore import Engine, ListPolicy
from ratingcore.errors import RatingCoreError
from ratingcore.plugin import Method
from ratingcore.plugin.analysis import prose_of, summary_of
from ratingcore_service.problems import NotFound
from ratingcore_service.routing import Asked
from ratingcore_service.wire.answers import (
    MethodAnswer,
    Methods,
    OneMethod,
    Policies,
    PolicyField,
    ReaderAnswer,
    Readers,
)


def methods(engine: Engine, asked: Asked) -> Methods:
    """The installed methods."""
    kinds = engine.registry.methods.items()
    return Methods(head=str(engine.log.head), methods=[_method(engine, name, kind) for name, kind in kinds])


def method(engine: Engine, asked: Asked) -> OneMethod:
    """A method in full, with what its source says."""
    name = str(asked.path["name"])
    kind = engine.registry.methods.get(name)
    if kind is None:
        raise NotFound(f"method named {name}")
    return OneMethod(head=str(engine.log.head), method=_method(engine, name, kind), about=prose_of(kind))


def _method(engine: Engine, name: str, kind: type[Method]) -> MethodAnswer:
    try:
        made: Method | None = kind()
    except (TypeError, RatingCoreError):  # a parameter without a default
        made = None
    of = next((plugin.name for plugin in engine.registry.plugins if name in _names(plugin.methods)), "")
    defaults = {one.name: "?" if made is None else str(getattr(made, one.name)) for one in _fields(kind)}
    return MethodAnswer(
        name=name, formula=kind.formula, cadence=None if made is None else made.cadence.value,
        reads=kind.reads.__name__.lower(), summary=summary_of(kind),
        parameters=defaults, presets=list(kind.presets), plugin=of,
    )  # fmt: skip


def _names(methods: Iterable[str]) -> set[str]:
    return {str(one) for one in methods}


def _fields(kind: type[Method]) -> tuple["attrs.Attribute[object]", ...]:
    made: tuple[attrs.Attribute[object], ...] = attrs.fields(kind)  # type: ignore[arg-type]  # methods are attrs classes
    return made


def readers(engine: Engine, asked: Asked) -> Readers:
    """The formats of files that can be uploaded."""
    found = engine.registry.readers.items()
    rows = [ReaderAnswer(reader=name, unit=str(one.unit), summary=str(one.summary)) for name, one in found]
    return Readers(head=str(engine.log.head), readers=rows)


def policies(engine: Engine, asked: Asked) -> Policies:
    """What a policy may say of a list, and the policy of each pool."""
    usual = ListPolicy()
    rows = [PolicyField(name=one.name, default=str(getattr(usual, one.name))) for one in attrs.fields(ListPolicy)]
    of = {pool: str(engine.core.official(engine.core.view(pool)).policy) for pool in engine.pools()}
    return Policies(head=str(engine.log.head), fields=rows, pools=of)
