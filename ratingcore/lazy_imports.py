"""Names that few calls of a module need, imported when first used."""

from collections.abc import Callable
from importlib import import_module
from operator import attrgetter


class Later:
    """A class or function known by its place, imported when it is first called or one of its attributes is read.

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
        if name.startswith("__"):  # asked by protocols, copying and documentation tools of this object itself
            raise AttributeError(name)
        return Later(self._module, f"{self._name}.{name}")

    def __call__(self, *args: object) -> object:
        return self.imported()(*args)

    def imported(self) -> Callable[..., object]:
        """The class or function itself."""
        if self._made is None:
            self._made = attrgetter(self._name)(import_module(self._module))
        return self._made
