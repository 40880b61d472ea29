"""The registry: what a plugin offers is taken over whole or not at all, and nothing a plugin does stops it."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import frozen

from ratingcore.errors import BadParameter, BadValue, MethodNotFound
from ratingcore.methods import identity
from ratingcore.methods.text import text_of
from ratingcore.plugin import hookimpl
from ratingcore.registry import GROUP, Registry
from tests.testing.liars import Honest
from tests.testing.toys import TeamElo


def plugin(*methods: Any, **readers: Any) -> Any:
    """A module that offers these."""

    @hookimpl
    def ratingcore_methods() -> list[Any]:
        return list(methods)

    @hookimpl
    def ratingcore_readers() -> dict[str, Any]:
        return readers

    return SimpleNamespace(ratingcore_methods=ratingcore_methods, ratingcore_readers=ratingcore_readers)


def test_what_is_bundled_is_found_by_entry_point() -> None:
    registry = Registry.installed()
    assert {"elo", "elo-margin"} <= registry.methods.keys()
    assert not [found.broken for found in registry.plugins if found.broken]


def test_a_method_with_the_name_of_its_plugin_is_found_without_the_other_plugins() -> None:
    code = (
        "import sys; from ratingcore.registry import Registry; registry = Registry.installed()\n"
        "elo = registry.method('elo:k=24')\n"
        "print(*(name for name in sys.modules if name.startswith('ratingcore_') and '.' not in name))\n"
        "print(type(elo) is registry.methods['elo'], registry.method('fifa').name, len(registry.plugins) > 20)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["ratingcore_elo", "True fifa True"]


def test_plugins_are_loaded_by_need_in_one_order() -> None:
    asked, whole = Registry.installed(), Registry.installed()
    asked.method("weng-lin")
    assert asked.plugins == whole.plugins
    assert asked.blamed(ValueError()) is None
    with pytest.raises(ValueError, match="a name that is taken by the plugin elo"):
        Registry.installed().register(plugin(type(asked.method("elo"))), "late", "late")


def test_methods_and_readers_are_taken_over() -> None:
    registry = Registry()
    registry.register(plugin(Honest, TeamElo, crosstable=print), "toys", "toys", "1.0")
    assert list(registry.methods) == ["honest", "team-elo"]
    assert registry.readers == {"crosstable": print}
    assert registry.plugins[0].methods == ("honest", "team-elo")
    assert registry.method("honest:k=32").k == 32.0  # type: ignore[attr-defined]  # a method of ours


def test_a_plugin_with_one_taken_name_gives_nothing_at_all() -> None:
    registry = Registry()
    registry.register(plugin(Honest), "first")
    with pytest.raises(ValueError, match="league 2 offers honest, a name that is taken by the plugin first"):
        registry.register(plugin(TeamElo, Honest, crosstable=print), "second", "league 2")
    assert list(registry.methods) == ["honest"]
    assert registry.readers == {}


def test_what_is_no_method_is_refused() -> None:
    with pytest.raises(TypeError, match="is not a Method"):
        Registry().register(plugin("elo"), "odd")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit('not here')", "SystemExit: not here"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_plugin_that_does_not_load_is_kept_and_named(
    content: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"league_{abs(hash(why))}"
    (tmp_path / f"{module}.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry()
    registry.load(EntryPoint("odd", module, GROUP))
    registry.register(plugin(Honest), "first")
    odd, first = registry.plugins
    assert (odd.name, odd.broken) == ("odd", why)
    assert first.methods == ("honest",)


def test_an_unknown_method_names_the_near_ones_and_the_plugins_that_did_not_load() -> None:
    registry = Registry()
    registry.register(plugin(Honest), "first")
    with pytest.raises(MethodNotFound) as near:
        registry.method("honset:k=3")
    assert near.value.hint == "did you mean honest?"
    registry.load(EntryPoint("odd", "no_such_module_anywhere", GROUP))
    with pytest.raises(MethodNotFound) as far:
        registry.method("glicko")
    assert "plugins that did not load: odd" in far.value.hint


@pytest.mark.parametrize("text", ["Honest", "HONEST:k=3", "honest@x"])
def test_a_method_spelt_as_none_can_be_names_the_near_ones(text: str) -> None:
    """`Elo` was answered by "installed are none", with no hint."""
    registry = Registry()
    registry.register(plugin(Honest), "first")
    with pytest.raises(MethodNotFound, match=r"installed are honest$") as error:
        registry.method(text)
    assert error.value.hint == "did you mean honest?"


def test_a_method_value_is_its_own_method_and_bad_parameters_are_refused() -> None:
    registry = Registry()
    registry.register(plugin(Honest), "first")
    assert registry.method(Honest(k=3.0)) == Honest(k=3.0)
    with pytest.raises(BadParameter, match="parameter kk is unknown"):
        registry.method("honest:kk=3")


@pytest.mark.parametrize("text", ["elo:k=24", "elo:preset=fide", "elo:k=15,entry=trial(5)", "berkin:gauge=mean"])
def test_an_identity_as_lists_print_it_is_a_method_text(text: str) -> None:
    registry = Registry.installed()
    method = registry.method(text)
    assert registry.method(identity(method)) == method


def test_an_identity_of_another_formula_is_refused_with_the_one_that_is_installed() -> None:
    with pytest.raises(BadValue, match="has another formula than elo@1"):
        Registry.installed().method("elo@9(k=24.0)")


def test_a_guest_is_given_the_answers_of_all_plugins_to_a_hook_of_its_own() -> None:
    registry = Registry()
    for name, pages in (("cup", ["bracket"]), ("league", ["table", "form"]), ("odd", 7)):
        hook = hookimpl(lambda pages=pages: pages, optionalhook=True)
        registry.register(SimpleNamespace(ratingcore_pages=hook), name)
    registry.register(plugin(Honest), "honest")
    assert registry.offered("ratingcore_pages", list) == {"cup": ["bracket"], "league": ["table", "form"]}
    assert [(found.name, found.broken) for found in registry.plugins if found.broken] == [
        ("odd", "TypeError: 'int' object is not iterable")
    ]


@frozen
class Newer(Honest):
    formula = 2


@frozen
class Older(Honest):
    superseded = True


def test_an_earlier_formula_is_installed_beside_the_one_that_has_the_name() -> None:
    registry = Registry()
    registry.register(plugin(Newer), "honest")
    with pytest.raises(BadValue, match="has another formula than honest@2"):
        registry.method("honest@1:k=3")
    registry.register(plugin(Older), "honest-of-2026")
    assert (type(registry.method("honest:k=3")), type(registry.method("honest@2:k=3"))) == (Newer, Newer)
    old = registry.method("honest@1:k=3")
    assert (type(old), text_of(old), identity(old)) == (Older, "honest@1:k=3.0", "honest@1(k=3.0)")
    assert registry.method(identity(old)) == registry.method(text_of(old)) == old
    assert [found.methods for found in registry.plugins] == [("honest",), ("honest@1",)]
