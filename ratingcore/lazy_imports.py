"""Lazy imports: proxies of functions that few calls need, and modules whose names are imported on first use."""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter


class Later:
    """Proxy for a class or function, or for an attribute of one, that is imported when it is first called.

    Parameters
    ----------
    module, name : str

    Examples
    --------
    >>> Later("fractions", "Fraction")(1, 2)
    Fraction(1, 2)
    >>> Later("fractions", "Fraction").from_float.imported()(0.25)
    Fraction(1, 4)
    """

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name
        self._made: Callable[..., object] | None = None

    def __getattr__(self, name: str) -> "Later":
        if name.startswith("__"):  # looked up on this object itself by protocols, copying and documentation tools
            raise AttributeError(name)
        return Later(self._module, f"{self._name}.{name}")

    def __call__(self, *args: object) -> object:
        return self.imported()(*args)

    def imported(self) -> Callable[..., object]:
        """Imports the class or function, and returns it."""
        if self._made is None:
            self._made = attrgetter(self._name)(import_module(self._module))
        return self._made


def door(module: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Returns a `__getattr__` and a `__dir__` that make a module's imports lazy.

    The lazy imports are those in the module's source, which type checkers see under `TYPE_CHECKING`.

    Examples
    --------
    >>> from ratingcore.plugin import analysis
    >>> "Comparison" in dir(analysis), analysis.Comparison.__module__
    (True, 'ratingcore.compare.comparison')
    """

    @cache
    def homes() -> dict[str, tuple[str, str]]:
        import ast  # imported here, because most programs that import this module do not need it

        source = find_spec(module).loader.get_source(module)  # type: ignore[union-attr]  # of a file that was imported
        imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
        return {alias.asname or alias.name: (str(node.module), alias.name) for node in imports for alias in node.names}

    def named(name: str) -> object:
        if name not in homes() or name in ("TYPE_CHECKING", "door"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, own = homes()[name]
        there = import_module(home)
        value: object = getattr(there, own) if hasattr(there, own) else import_module(f"{home}.{own}")
        vars(sys.modules[module])[name] = value
        return value

    return named, lambda: sorted({*vars(sys.modules[module]), *homes()} - {"TYPE_CHECKING", "door"})
