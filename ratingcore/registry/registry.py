"""What is installed: methods, readers and commands from plugins, and the plugins that did not load."""

from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from attrs import frozen
from pluggy import PluginManager

from ratingcore import hooks
from ratingcore.errors import MethodNotFound
from ratingcore.methods.contract import Method
from ratingcore.methods.text import build, names, split

GROUP = "ratingcore"
"""The entry-point group in which every plugin is announced, ours like a stranger's."""


@frozen
class Plugin:
    """An installed plugin: what it offers, or why it offers nothing."""

    name: str
    distribution: str
    version: str
    methods: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    broken: str = ""


class Registry:
    """Methods, readers and commands of the plugins that were given to it.

    A plugin that fails to load is kept, named and shown; it never stops the others.
    """

    def __init__(self) -> None:
        self._manager = PluginManager("ratingcore")
        self._manager.add_hookspecs(hooks)
        self._methods: dict[str, type[Method]] = {}
        self.readers: dict[str, Any] = {}
        self.plugins: list[Plugin] = []

    @classmethod
    def installed(cls) -> "Registry":
        """A registry of everything installed in this environment."""
        registry = cls()
        for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
            registry.load(point)
        return registry

    def load(self, point: EntryPoint) -> None:
        """Load a plugin from its entry point."""
        distribution = point.dist.name if point.dist else "unknown"
        version = point.dist.version if point.dist else ""
        try:
            module = point.load()
            self.register(module, point.name, distribution, version)
        except BaseException as error:  # whatever a stranger's module does while it is imported
            if isinstance(error, KeyboardInterrupt):
                raise
            why = f"{type(error).__name__}: {error}".strip()
            self.plugins.append(Plugin(point.name, distribution, version, broken=why))

    def register(self, plugin: Any, name: str, distribution: str = "", version: str = "") -> None:
        """Take over what a plugin offers; all of it or nothing."""
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
        """Further commands of the command line."""
        return [command for offered in self._manager.hook.ratingcore_commands() for command in offered]

    @property
    def methods(self) -> dict[str, type[Method]]:
        """Methods by name, in alphabetical order."""
        return dict(sorted(self._methods.items()))

    def method(self, text: str | Method) -> Method:
        """The method that a text names.

        Raises
        ------
        MethodNotFound
            If no installed plugin offers it.
        BadParameter
            If a parameter is unknown or has a value it cannot have.

        Examples
        --------
        >>> Registry.installed().method("elo:k=24").k
        24.0
        """
        if isinstance(text, Method):
            return text
        name = text.partition(":")[0].strip()
        if name not in self._methods:
            broken = tuple(plugin.name for plugin in self.plugins if plugin.broken)
            near = tuple(get_close_matches(name, self._methods, n=3))
            raise MethodNotFound(name, names(self._methods.values()), near, broken)
        return build(self._methods[name], split(text)[1])

    def _offer(self, plugin: Any, hook: str, nothing: Any) -> Any:
        """What a plugin's implementation of a hook returns."""
        implemented = self._manager.parse_hookimpl_opts(plugin, hook) is not None
        return getattr(plugin, hook)() if implemented else nothing
