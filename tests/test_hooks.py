"""The extension surface: which hooks there are, and that a plugin may implement any of them."""

import pytest
from pluggy import PluginManager, PluginValidationError

from ratingcore import hooks
from ratingcore.plugin import hookimpl


def manager() -> PluginManager:
    made = PluginManager("ratingcore")
    made.add_hookspecs(hooks)
    return made


def test_no_hook_takes_an_argument() -> None:
    offered = {name: hook.spec.argnames for name, hook in vars(manager().hook).items() if name.startswith("ratingcore")}
    names = ("erasers", "grades", "methods", "pages", "readers", "sheets", "stores", "writers")
    assert offered == {f"ratingcore_{name}": () for name in names}


def test_what_plugins_return_is_collected() -> None:
    class League:
        @hookimpl
        def ratingcore_readers(self) -> dict[str, object]:
            return {"crosstable": print}

    made = manager()
    made.register(League())
    assert made.hook.ratingcore_readers() == [{"crosstable": print}]
    assert made.hook.ratingcore_methods() == []


def test_an_implementation_of_a_hook_that_is_not_there_is_found() -> None:
    class League:
        @hookimpl
        def ratingcore_reader(self) -> dict[str, object]:
            return {}

    made = manager()
    made.register(League())
    with pytest.raises(PluginValidationError, match="unknown hook 'ratingcore_reader'"):
        made.check_pending()
