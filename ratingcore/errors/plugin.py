"""Errors: a plugin or method is missing or broken, or has a bad parameter."""

from ratingcore.errors.root import RatingCoreError


class PluginError(RatingCoreError):
    """Branch: finding and using plugins and methods."""


class MethodNotFound(PluginError, LookupError):
    """No installed plugin offers a method of this name."""

    name: str
    known: tuple[str, ...]
    near: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"no method named {self.name}: installed are {', '.join(self.known) or 'none'}"

    @property
    def hint(self) -> str:
        if self.near:
            return f"did you mean {' or '.join(self.near)}?"
        if self.broken:
            return f"plugins that did not load: {', '.join(self.broken)}"
        return ""


class StoreNotFound(PluginError, LookupError):
    """No installed plugin offers a store for addresses of this scheme."""

    scheme: str
    known: tuple[str, ...]
    near: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"no store for {self.scheme}:// is installed: installed are {', '.join(self.known) or 'none'}"

    @property
    def hint(self) -> str:
        if self.near:
            return f"did you mean {' or '.join(f'{scheme}://' for scheme in self.near)}?"
        if self.broken:
            return f"plugins that did not load: {', '.join(self.broken)}"
        if self.scheme in ("postgresql", "postgres"):
            return "the plugin ratingcore_postgres offers it: pip install 'ratingcore[postgres]'"
        return "install the plugin that offers it, or name a file by its whole path"


class PluginFails(PluginError):
    """The code of a plugin raised an error that it must not raise, or tried to end the process."""

    plugin: str
    why: str

    advice = "report it to its authors; everything else works without it"

    def __str__(self) -> str:
        return f"the plugin {self.plugin} fails: {self.why}"


def from_outside(error: BaseException) -> bool:
    """True for an error that the running code did not raise itself: Ctrl-C, a task's time limit, a cancelled task.

    `SystemExit`, `GeneratorExit` and a bare `BaseException` are not from outside, because plugins may raise them.
    """
    return type(error) is not BaseException and not isinstance(error, Exception | SystemExit | GeneratorExit)


def in_words(error: BaseException) -> str:
    """Describes an error of foreign code, by class and text, in one printable line, even if its text raises."""
    try:
        text = " ".join(str(error).split())
    except BaseException as failed:  # foreign `__str__` may raise, too, or call `sys.exit`
        if type(failed) is KeyboardInterrupt:
            raise
        text = "its text cannot be read"
    words = f"{type(error).__name__}: {text[:400]}".strip()
    return "".join(letter if letter.isprintable() else "?" for letter in words)


class BadParameter(PluginError, ValueError):
    """A parameter of a method is unknown or has an invalid value; `words` has the valid ones if there are few."""

    method: str
    parameter: str
    why: str
    known: tuple[str, ...] = ()
    value: str = ""
    """The value in Python notation."""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.method}: parameter {self.parameter} {self.why}{f': {self.value}' if self.value else ''}"

    @property
    def hint(self) -> str:
        return f"{self.method} takes {', '.join(self.known)}" if self.known else ""


class NotOfWriter(BadParameter):
    """A writer of files cannot write the given content, or needs content that is missing: `parameter` names it."""
