"""Kernels: game-by-game loops with one source, run on Python lists for little work and compiled by numba for much."""

import hashlib
import sys
from collections.abc import Callable
from functools import cached_property, partial, update_wrapper
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar, overload

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

REPAYS_IMPORT = 1_000_000
"""Number of games after which importing numba and compiling a kernel pays, compared with running on lists."""
REPAYS_COMPILING = 50_000
"""Number of games after which compiling a kernel pays, if numba is imported already."""
REPAYS_LOADING = 500_000
"""Number of games, of all kernels, after which importing numba pays if machine code is on disk: about half a second."""
LEAST = 5_000
"""Number of games of a kernel below which not even loading its machine code pays."""
COMPILED = False
"""True in a kernel that runs as machine code. On lists it is False, and `if COMPILED` costs almost nothing."""


def has_numba() -> bool:
    """True if numba is installed."""
    return _loaded() or find_spec("numba") is not None


def _loaded() -> bool:
    return sys.modules.get("numba") is not None


class Kernel(Generic[P, R]):
    """A loop over columns that runs on Python lists until the work so far repays compiling it.

    Read-only arrays are inputs; changes of other arrays reach the caller either way. `passes` is the number of times a
    call goes through its longest array, or a function that computes it from the arguments of a call. Loading machine
    code from disk pays earlier than compiling, by the work of all kernels, since they share the import of numba.
    """

    worked: ClassVar[int] = 0

    def __init__(self, function: Callable[P, R], passes: int | Callable[..., int] = 1) -> None:
        update_wrapper(self, function)
        self._function: FunctionType = function  # type: ignore[assignment]  # a def, by the way kernels are written
        self._passes = passes
        self._done = 0

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs:
            raise TypeError(f"kernel {self._function.__name__} takes positional arguments only")
        if "compiled" in self.__dict__:
            return self.compiled(*args)  # type: ignore[no-any-return]  # numba is untyped
        arrays = [arg for arg in args if isinstance(arg, np.ndarray)]
        if not arrays:
            return self.plain(*args)  # type: ignore[no-any-return]  # types are lost with the globals
        passes = self._passes if isinstance(self._passes, int) else self._passes(*args)
        work = passes * max(len(array) for array in arrays)
        self._done += work
        Kernel.worked += work
        if self._repaid() and has_numba():
            return self.compiled(*args)  # type: ignore[no-any-return]  # numba is untyped
        return self._on_lists(args)

    def _repaid(self) -> bool:
        """Returns True if the work so far repays compiling this kernel, or loading its machine code from disk."""
        if self._done >= (REPAYS_COMPILING if _loaded() else REPAYS_IMPORT):
            return True
        return (_loaded() or Kernel.worked >= REPAYS_LOADING) and self._done >= LEAST and self.on_disk

    @cached_property
    def on_disk(self) -> bool:
        """True if numba has stored machine code of this kernel beside its source."""
        folder = Path(self._function.__code__.co_filename).parent / "__pycache__"
        return any(folder.glob(f"*.{self._name}-*.nbi"))

    def _on_lists(self, args: tuple[Any, ...]) -> R:
        lists = [arg.tolist() if isinstance(arg, np.ndarray) else arg for arg in args]
        result = self.plain(*lists)
        for arg, filled in zip(args, lists, strict=True):
            if isinstance(arg, np.ndarray) and arg.flags.writeable and arg.size:  # empty lists have no second dimension
                arg[...] = filled
        return result  # type: ignore[no-any-return]  # types are lost with the globals

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The kernel as a Python function that calls other kernels as Python functions."""
        return self._with(False, lambda kernel: kernel.plain, lambda table: table)  # type: ignore[no-any-return]  # as made

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The kernel as machine code, compiled at its first call or loaded from the cache beside the source."""
        import numba  # heavy, and loaded only when the work repays it

        rewritten = self._with(True, lambda kernel: kernel.compiled, lambda table: np.array(table))
        compile_ = numba.njit(error_model="numpy", nogil=True, cache=True)
        try:
            return compile_(rewritten)
        except RuntimeError:  # the cache has no writable folder
            return numba.njit(error_model="numpy", nogil=True)(rewritten)

    @cached_property
    def digest(self) -> str:
        """Digest of the code, and of the kernels, numbers and tables it uses; part of the name of the cache file."""
        code = self._function.__code__
        parts = [code.co_code, repr([c for c in code.co_consts if not isinstance(c, str)]).encode()]
        for value in self._globals().values():
            if isinstance(value, Kernel):
                parts.append(f"{value._function.__module__} {value.digest}".encode())  # numba looks for it by module
            elif isinstance(value, int | float | list):
                parts.append(repr(value).encode())
        return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]

    def _globals(self) -> dict[str, Any]:
        scope = self._function.__globals__
        return {name: scope[name] for name in sorted(self._function.__code__.co_names) if name in scope}

    def _with(
        self, compiled: bool, kernel: Callable[["Kernel[..., Any]"], Any], table: Callable[[list[float]], Any]
    ) -> Any:
        scope = self._function.__globals__ | {"COMPILED": compiled}
        for name, value in self._globals().items():
            if isinstance(value, Kernel):
                scope[name] = kernel(value)
            elif isinstance(value, list):
                scope[name] = table(value)
        # interpreted code has no digest in its name: computing one takes longer than a small replay
        name = self._name if compiled else self._function.__name__
        made = FunctionType(self._function.__code__.replace(co_name=name), scope, name)
        made.__qualname__ = name
        made.__module__ = self._function.__module__
        return made

    @property
    def _name(self) -> str:
        """Name of the generated function, and so of its file in the cache."""
        return f"{self._function.__name__}_{self.digest}"


@overload
def kernel(function: Callable[P, R]) -> Kernel[P, R]: ...
@overload
def kernel(*, passes: int | Callable[..., int]) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(function: Callable[P, R] | None = None, *, passes: int | Callable[..., int] = 1) -> Any:
    """Makes a kernel from a function that loops over arrays and numbers.

    The function may use other kernels, `math`, numbers and lists of numbers (tables) of its module, and `if COMPILED`.
    It takes positional arguments only. Arrays of two dimensions are indexed as `x[i][t]`.

    Parameters
    ----------
    passes : int or callable
        Approximate number of passes of a call through its longest array: for a solver of a hundred rounds, compiling
        pays with a hundredth of the games. A function computes it from the arguments of each call.

    Examples
    --------
    >>> @kernel
    ... def running(change, rating):
    ...     total = 0.0
    ...     for g in range(len(change)):
    ...         total += change[g]
    ...         rating[g] = total
    >>> rating = np.zeros(3)
    >>> running(np.array([1.0, 2.0, 3.0]), rating)
    >>> rating.tolist()
    [1.0, 3.0, 6.0]
    """
    return partial(Kernel, passes=passes) if function is None else Kernel(function)
