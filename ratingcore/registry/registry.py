"""The registry of installed plugins: their methods, readers and commands, and those that did not load."""

from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from attrs import frozen
from pluggy import PluginManager

from ratingcore import hooks
from ratingcore.errors import BadValue, MethodNotFound
from ratingcore.methods.contract import Method
from ratingcore.methods.text import build, names, of_identity, split

GROUP = "ratingcore"
"""Entry-point group that announces every plugin, the bundled ones included."""


@frozen
class Plugin:
    """An installed plugin: what it offers, or in `broken` why it could not be loaded."""

    name: str
    distribution: str
    version: str
    methods: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    broken: str = ""


class Registry:
    """Holds the methods, readers and commands of its plugins.

    A plugin that fails to load is listed with the reason and never stops the others.
    """

    def __init__(self) -> None:
        self._manager = PluginManager("ratingcore")
        self._manager.add_hookspecs(hooks)
        self._methods: dict[str, type[Method]] = {}
        self.readers: dict[str, Any] = {}
        self.plugins: list[Plugin] = []

    @classmethod
    def installed(cls) -> "Registry":
        """Returns a registry of every plugin installed in this environment."""
        registry = cls()
        for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
            registry.load(point)
        return registry

    def load(self, point: EntryPoint) -> None:
        """Load a plugin from its entry point; one that fails is listed as broken."""
        distribution = point.dist.name if point.dist else "unknown"
        version = point.dist.version if point.dist else ""
        try:
            module = point.load()
            self.register(module, point.name, distribution, version)
        except BaseException as error:  # a module may do anything while it is imported, `sys.exit` too
            if isinstance(error, KeyboardInterrupt):
                raise
            why = f"{type(error).__name__}: {error}".strip()
            self.plugins.append(Plugin(point.name, distribution, version, broken=why))

    def register(self, plugin: Any, name: str, distribution: str = "", version: str = "") -> None:
        """Add what a plugin offers: all of it, or nothing where a name is taken."""
        offered: dict[str, type[Method]] = {}
        for kind in self._offer(plugin, "ratingcore_methods", []):
            if not (isinstance(kind, type) and issubclass(kind, Method)):
                raise TypeError(f"{kind!r} is no Method")
            offered[kind.name] = kind
        readers = self._offer(plugin, "ratingcore_readers", {})
        taken = offered.keys() & self._methods.keys() | readers.keys() & self.readers.keys()
        if taken:
            raise ValueError(f"the name {min(taken)} is taken by another plugin")
        self._manager.register(plugin, name)
        self._methods |= offered
        self.readers |= readers
        self.plugins.append(Plugin(name, distribution, version, names(offered.values()), tuple(sorted(readers))))

    def commands(self) -> list[Any]:
        """Commands that plugins add to the command line."""
        return [command for offered in self._manager.hook.ratingcore_commands() for command in offered]

    @property
    def methods(self) -> dict[str, type[Method]]:
        """Methods by name, in alphabetical order."""
        return dict(sorted(self._methods.items()))

    def method(self, text: str | Method) -> Method:
        """Returns the method that a text describes, such as `elo:k=24`; a method is returned as it is.

        An identity, as lists print it, describes a method too: `elo@1(k=24.0, curve=logistic, ...)`.

        Raises
        ------
        MethodNotFound
            If no installed plugin offers it.
        BadParameter
            If a parameter is unknown or has a value it cannot have.
        BadValue
            If an identity is of another formula number than the installed method has.

        Examples
        --------
        >>> Registry.installed().method("elo:k=24").k
        24.0
        >>> Registry.installed().method("elo@1(k=24.0)").k
        24.0
        """
        if isinstance(text, Method):
            return text
        printed = "@" in text.partition("(")[0]
        name = text.partition("@" if printed else ":")[0].strip()
        if name not in self._methods:
            broken = tuple(plugin.name for plugin in self.plugins if plugin.broken)
            near = tuple(get_close_matches(name, self._methods, n=3))
            raise MethodNotFound(name, names(self._methods.values()), near, broken)
        if not printed:
            return build(self._methods[name], split(text)[1])
        _, formula, given = of_identity(text.strip())
        installed = self._methods[name].formula
        if formula != installed:
            raise BadValue("method", text, f"has another formula than {name}@{installed}, the installed one")
        return build(self._methods[name], given)

    def _offer(self, plugin: Any, hook: str, nothing: Any) -> Any:
        """Returns what the plugin's implementation of a hook returns, or `nothing` if it has none."""
        implemented = self._manager.parse_hookimpl_opts(plugin, hook) is not None
        return getattr(plugin, hook)() if implemented else nothing
