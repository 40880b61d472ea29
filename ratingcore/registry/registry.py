"""Registry of the installed plugins: their methods, readers and writers, and the plugins that did not load."""

import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, frozen
from pluggy import HookimplOpts, PluginManager

from ratingcore import hooks
from ratingcore._version import __version__
from ratingcore.distributions import distribution_of, printable
from ratingcore.errors import BadValue, MethodNotFound, NotOneOf, PluginFails, StoreNotFound, in_words
from ratingcore.lazy_imports import Later
from ratingcore.log.address import Store
from ratingcore.log.contract import Eraser
from ratingcore.methods.contract import Method
from ratingcore.methods.rule_histories import PREFIX, Book, labelled, steps_of
from ratingcore.methods.text import build, of_identity, split, text_of
from ratingcore.registry.offers import check_hooks, erasers_of, grades_of, methods_of, stores_of
from ratingcore.spelling import spelt_like

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ratingcore.readers import Writer
    from ratingcore.readers.sheets import SheetKind
    from ratingcore.registry.file_offers import readers_of, sheets_of, writers_of
    from ratingcore.registry.rule_books import written_out
else:  # a list of a pool needs methods alone, and most of them are in no book
    written_out = Later("ratingcore.registry.rule_books", "written_out")
    readers_of, sheets_of, writers_of = (
        Later("ratingcore.registry.file_offers", name) for name in ("readers_of", "sheets_of", "writers_of")
    )

GROUP = "ratingcore"
"""Entry-point group in which all plugins are announced, including the bundled ones."""
HOOKS = tuple(name for name in vars(hooks) if name.startswith("ratingcore_"))
_PRINTED = re.compile(r"[^:(]*@[^:(]*\(")
"""Pattern for the beginning of an identity: `elo@1(`."""
T = TypeVar("T")


@frozen
class Plugin:
    """An installed plugin: what it offers, or in `broken` the reason why it could not be loaded."""

    name: str
    distribution: str
    version: str
    methods: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    broken: str = ""
    writers: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()

    def __str__(self) -> str:
        origin = f"{self.distribution} {self.version}".strip()
        return f"{self.name} ({origin})" if origin else self.name


class _Manager(PluginManager):
    """Looks for the mark of `@hookimpl` first: examining every name of every module would take most of the loading."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> HookimplOpts | None:
        marked = hasattr(getattr(plugin, name, None), f"{self.project_name}_impl")
        return super().parse_hookimpl_opts(plugin, name) if marked else None


class Registry:
    """Holds the methods, readers and writers of its plugins.

    A plugin that fails to load is listed with the reason and never stops the others.
    """

    def __init__(self) -> None:
        self._manager = _Manager("ratingcore")
        self._manager.add_hookspecs(hooks)
        self._methods: dict[str, type[Method]] = {}
        self._readers: dict[str, Any] = {}
        self._writers: dict[str, Writer] = {}
        self._stores: dict[str, Store] = {}
        self._sheets: dict[str, SheetKind] = {}
        self._erasers: list[Eraser] = []
        self._plugins: list[Plugin] = []
        self._modules: dict[str, Plugin] = {}
        self._waiting = False
        """True until all plugins are loaded; a method or store of a bundled plugin alone does not need them."""
        self._alone: dict[str, Registry] = {}
        """Registries with one bundled plugin each, by its name."""
        self._lock = RLock()

    @classmethod
    def installed(cls) -> "Registry":
        """Returns a registry of every plugin installed in this environment.

        The bundled plugins come first, so that no other plugin can take over their method names. Plugins are imported
        on demand: only one bundled plugin if it has the name of the requested method, else all plugins.
        """
        registry = cls()
        registry._waiting = True
        return registry

    @property
    def plugins(self) -> list[Plugin]:
        """The plugins, in the order in which they were loaded."""
        self._load_waiting()
        return self._plugins

    @property
    def readers(self) -> dict[str, Any]:
        """Readers by name."""
        self._load_waiting()
        return self._readers

    def result_fields(self) -> frozenset[str]:
        """Returns the names of the fields of results that installed methods read with their default parameters."""
        found: set[str] = set()
        for method in self.methods.values():
            with suppress(TypeError, ValueError):  # a method without defaults knows its needs only once built
                found.update(need.name for need in method().needs if need.of != "player")
        return frozenset(found)

    def facts_read(self) -> frozenset[str]:
        """Returns the names of the facts of players from which installed methods compute ratings."""
        found: set[str] = set()
        for method in self.methods.values():
            found.update(method.facts_read)
            with suppress(TypeError, ValueError):  # a method without defaults knows its facts only once built
                found.update(need.name for need in method().needs if need.of == "player")
        return frozenset(found)

    @property
    def writers(self) -> "dict[str, Writer]":
        """Writers by name."""
        self._load_waiting()
        return self._writers

    @property
    def stores(self) -> dict[str, Store]:
        """Stores by the scheme of their addresses."""
        self._load_waiting()
        return self._stores

    @property
    def erasers(self) -> tuple[Eraser, ...]:
        """Functions that remove erased players from the tables of plugins."""
        self._load_waiting()
        return tuple(self._erasers)

    def store(self, scheme: str) -> Store:
        """Returns the store for addresses of a scheme.

        Raises
        ------
        StoreNotFound
            If no installed plugin offers a store for it.
        """
        stores = self._of_one(scheme)._stores
        if scheme not in stores:
            broken = tuple(plugin.name for plugin in self.plugins if plugin.broken)
            near = tuple(spelt_like(scheme.lower(), stores, 1))
            raise StoreNotFound(scheme, tuple(sorted(stores)), near, broken)
        return stores[scheme]

    def grade(self, table: str) -> Callable[[float], str | int | None]:
        """Returns the function from a rating to its grade in a table of an installed plugin.

        Raises
        ------
        BadValue
            If no plugin offers a table of this name.

        Examples
        --------
        >>> Registry.installed().grade("egf")(2100.0)
        '1 dan'
        """
        tables: dict[str, Callable[[float], str | int | None]] = {}
        for offered in self.offered("ratingcore_grades", grades_of).values():
            tables = offered | tables
        if table not in tables:
            raise NotOneOf.of("table of grades", table, sorted(tables))
        return tables[table]

    @property
    def sheets(self) -> "tuple[SheetKind, ...]":
        """Kinds of tables."""
        self._load_waiting()
        return tuple(self._sheets.values())

    def _load_waiting(self) -> None:
        """Loads all installed plugins, once."""
        with self._lock:
            if self._waiting:
                whole = Registry()
                for point in _announced():
                    whole.load(point)
                vars(self).update(vars(whole) | {"_lock": self._lock})  # first, in case the loading is interrupted

    def _of_one(self, name: str) -> "Registry":
        """Returns a registry to look up a method or scheme: one bundled plugin if that has it, else all plugins."""
        with self._lock:
            alone = self._alone.get(name)
            if alone is None and self._waiting and (module := _bundled().get(name)) is not None:
                alone = self._alone[name] = Registry()
                alone._load(lambda: import_module(module), name, "ratingcore", __version__)
            if alone is not None and name in {*alone._methods, *alone._stores}:
                return alone
        self._load_waiting()
        return self

    def load(self, point: "EntryPoint") -> None:
        """Loads a plugin from its entry point; a plugin that fails is listed as broken."""
        self._load_waiting()
        self._load(point.load, point.name, *distribution_of(point))

    def _load(self, load: Callable[[], object], given: str, distribution: str, version: str) -> None:
        name = printable(given)
        try:
            module = load()
            if name != given:
                raise ValueError("the name of its entry point cannot be printed")
            self.register(module, name, distribution, version)
            top = str(getattr(module, "__name__", "")).partition(".")[0]
            self._modules |= {top: self.plugins[-1]} if top not in ("", "ratingcore") else {}
        except BaseException as error:  # a module may do anything while it is imported, `sys.exit` too
            if type(error) is KeyboardInterrupt:
                raise
            self.plugins.append(Plugin(name, distribution, version, broken=in_words(error)))

    def register(self, plugin: object, name: str, distribution: str = "", version: str = "") -> None:
        """Adds everything a plugin offers, or nothing if a name is taken or something is invalid.

        Raises
        ------
        TypeError, ValueError
            If the plugin implements no hook, a function is named like a hook that does not exist, a hook returned a
            wrong value, or a name cannot be typed or is taken.
        """
        self._load_waiting()
        check_hooks(plugin, lambda name: self._marked(plugin, name), HOOKS)
        offered = self._offer(plugin, "ratingcore_methods", methods_of) or {}
        readers = self._offer(plugin, "ratingcore_readers", readers_of) or {}
        writers = self._offer(plugin, "ratingcore_writers", writers_of) or {}
        stores = self._offer(plugin, "ratingcore_stores", stores_of) or {}
        erasers = self._offer(plugin, "ratingcore_erasers", erasers_of) or []
        sheets = self._offer(plugin, "ratingcore_sheets", sheets_of) or {}
        if both := {*readers} & {*sheets}:
            raise ValueError(f"a reader and a kind of tables are named {min(both)}")
        for held in self.plugins:
            taken = {*offered} & {*held.methods} | {*readers, *sheets} & {*held.readers} | {name} & {held.name}
            taken |= {*writers} & {*held.writers} | {*stores} & {*held.stores}
            if taken and not held.broken:
                whose = distribution or "this plugin"
                raise ValueError(f"{whose} offers {min(taken)}, a name that is taken by the plugin {held}")
        self._manager.register(plugin, name)
        self._methods |= offered
        self._readers |= readers
        self._writers |= writers
        self._stores |= stores
        self._sheets |= sheets
        self._erasers += erasers
        named = tuple(sorted({*readers, *sheets})), "", tuple(sorted(writers)), tuple(sorted(stores))
        self.plugins.append(Plugin(name, distribution, version, tuple(sorted(offered)), *named))
        called: list[Any] = [one.write for one in writers.values()]
        called += [store.open for store in stores.values()] + [kind.open for kind in sheets.values()]
        self._modules |= dict.fromkeys(
            _modules(plugin, *offered.values(), *readers.values(), *called), self.plugins[-1]
        )

    def offered(self, hook: str, read: Callable[[Any], T]) -> dict[str, T]:
        """Returns the answers of plugins to a hook that another plugin specifies, by name of the answering plugin.

        Implementations are marked `@hookimpl(optionalhook=True)`, because the plugin that specifies the hook may not be
        installed. A plugin that fails is listed as broken, and is left out.

        Parameters
        ----------
        hook : str
            Name of the function: `ratingcore_jobs`.
        read : callable
            Checks and converts the answer of a plugin; raises an error if it is invalid.

        Examples
        --------
        >>> Registry.installed().offered("ratingcore_jobs", list)
        {}
        """
        answers: dict[str, T] = {}
        for place, plugin in enumerate(self.plugins):
            module = None if plugin.broken else self._manager.get_plugin(plugin.name)
            if module is None or self._marked(module, hook) is None:
                continue
            try:
                answers[plugin.name] = read(getattr(module, hook)())
            except BaseException as error:  # as in `load`
                if type(error) is KeyboardInterrupt:
                    raise
                self.plugins[place] = evolve(plugin, broken=in_words(error))
        return answers

    def blamed(self, error: BaseException) -> PluginFails | None:
        """Returns the failure of a plugin if an error came from the code of a plugin; else None."""
        self._load_waiting()
        trace, plugin = error.__traceback__, None
        while trace is not None:
            module = str(trace.tb_frame.f_globals.get("__name__"))
            plugin = self._modules.get(module) or self._modules.get(module.partition(".")[0]) or plugin
            trace = trace.tb_next
        return None if plugin is None else PluginFails(str(plugin), in_words(error))

    @property
    def methods(self) -> dict[str, type[Method]]:
        """Methods by name, in alphabetical order; superseded formulas by name and number, such as `glicko@1`."""
        self._load_waiting()
        return dict(sorted(self._methods.items()))

    def method(self, text: str | Method) -> Method:
        """Returns the method that a text describes, such as `elo:k=24`; a method is returned as it is.

        The text may also be an identity, as lists show it: `elo@1(k=24.0, curve=logistic, ...)`. A label in front, as
        in `Old rule=elo:k=40`, is not part of the method; `named` returns the label. A rule with a history is a `Book`:
        `elo then elo:k=40 from 2024-03-05`, or a bundled one: `book:uschess`.

        Raises
        ------
        MethodNotFound
            If no installed plugin offers the method.
        BadParameter
            If a parameter is unknown or has an invalid value.
        BadValue
            If no installed class has the formula number of an identity, or a step of a rule with a history cannot
            follow the step before it.

        Examples
        --------
        >>> Registry.installed().method("elo:k=24").k
        24.0
        >>> Registry.installed().method("elo@1(k=24.0)").k
        24.0
        """
        if isinstance(text, Method):
            return text
        if not isinstance(text, str):
            raise BadValue("method", text, "must be a text such as elo:k=24, or a method")
        text = written_out(text) if PREFIX in text else text
        first, later = steps_of(text)
        method = self._step(first)
        for step, since in later:
            method = Book(method, self._step(step), *since)
        label, plain = labelled(text)
        return method.called(label) if isinstance(method, Book) and label != plain else method

    def _step(self, text: str) -> Method:
        if _PRINTED.match(text):
            name, formula, given = of_identity(text)
            return build(self.formula(name, formula), given)
        try:
            called, given = split(text)
        except MethodNotFound as error:  # no method can have such a name, but one may be similar: Elo
            raise self._not_found(error.name) from None
        name, _, number = called.partition("@")
        return build(self.formula(name, int(number) if number else None), given)

    def named(self, given: str | Method) -> tuple[str, Method]:
        """Returns a method with its name for people: the label of its text if there is one, else the text.

        Examples
        --------
        >>> Registry.installed().named("Old rule=elo:k=24")[0], Registry.installed().named("elo:k=24")[0]
        ('Old rule', 'elo:k=24')
        """
        return (labelled(given)[0] if isinstance(given, str) else text_of(given)), self.method(given)

    def formula(self, name: str, number: int | None = None) -> type[Method]:
        """Returns the class of a method: the current one of this name, or the installed one with this formula number.

        Raises
        ------
        MethodNotFound
            If no installed plugin offers a method of this name.
        BadValue
            If no installed class of this name has this formula number.

        Examples
        --------
        >>> Registry.installed().formula("elo", 1).name
        'elo'
        """
        methods = self._of_one(name)._methods
        current = methods.get(name)
        if current is not None and number in (None, current.formula):
            return current
        numbered = f"{name}@{number}"
        if numbered in self.methods:
            return self.methods[numbered]
        if current is None:
            raise self._not_found(name)
        raise BadValue("method", numbered, f"has another formula than {name}@{current.formula}, the installed one")

    def _not_found(self, name: str) -> MethodNotFound:
        known = tuple(sorted(self.methods))
        broken = tuple(plugin.name for plugin in self.plugins if plugin.broken)
        return MethodNotFound(name, known, tuple(spelt_like(name.lower(), known)), broken)

    def _offer(self, plugin: object, hook: str, read: Callable[[object], T]) -> T | None:
        """Calls a plugin's implementation of a hook and returns the checked answer; None without an implementation."""
        return None if self._marked(plugin, hook) is None else read(getattr(plugin, hook)())

    def _marked(self, plugin: object, name: str) -> Mapping[str, object] | None:
        """Returns the options with which a plugin's function is marked as a hook; None if it is unmarked or missing."""
        return self._manager.parse_hookimpl_opts(plugin, name) if hasattr(plugin, name) else None


def _announced() -> "list[EntryPoint]":
    """Returns the entry points of all installed plugins, first those of ratingcore itself."""
    from importlib.metadata import entry_points  # takes a tenth of a first list, and a bundled method does not need it

    return sorted(entry_points(group=GROUP), key=lambda point: (distribution_of(point)[0] != "ratingcore", point.name))


def _bundled() -> Mapping[str, str]:
    """Returns the modules of the bundled plugins by name, from the file that ratingcore's installation wrote [1]_.

    Empty without that file, as when running from an archive; then these plugins are found like all others.

    References
    ----------
    .. [1] Python Packaging Authority, "Entry points specification", section "File format".
    """
    for folder in sys.path:
        file = Path(folder, f"ratingcore-{__version__}.dist-info", "entry_points.txt")
        if file.is_file():
            group = file.read_text(encoding="utf-8").partition(f"[{GROUP}]\n")[2].partition("\n[")[0]
            lines = (line.partition("=") for line in group.splitlines())
            return {name.strip(): module.strip() for name, _, module in lines}
    return {}


def _modules(*offered: Any) -> set[str]:
    """Returns the names of the modules with the code of a plugin: its own, and those of the objects it offers."""
    found = {getattr(one, "__module__", None) or getattr(one, "__name__", None) for one in offered}
    return {name for name in found if isinstance(name, str) and not name.startswith(("builtins", "ratingcore."))}
