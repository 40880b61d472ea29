"""Names the plugin whose code, or whose answers, make a calculation fail."""

from collections.abc import Iterator
from contextlib import contextmanager

from ratingcore.errors import PluginFails, RatingCoreError, in_words
from ratingcore.methods.contract import Method
from ratingcore.methods.wrapped import Wrapped


@contextmanager
def failing(plugin: Method | str) -> Iterator[None]:
    """Raises `PluginFails` in place of an error that no plugin should cause, `sys.exit` included.

    Errors of ratingcore stay what they are, and so do those of files and memory, which come from elsewhere, and a
    user's Ctrl-C.

    Parameters
    ----------
    plugin : Method or str
        The method that is asked, or what else the error names.
    """
    try:
        yield
    except (RatingCoreError, OSError, MemoryError):
        raise
    except BaseException as error:
        if type(error) is KeyboardInterrupt:
            raise
        raise PluginFails(plugin if isinstance(plugin, str) else _named(plugin), in_words(error)) from error


def _named(method: Method) -> str:
    inner = method.method if isinstance(method, Wrapped) else method
    return f"of {inner.name} (module {type(inner).__module__})"
