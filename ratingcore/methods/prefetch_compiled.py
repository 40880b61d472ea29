"""Compiled form of `prefetch`: the processor's instruction to fetch memory early. Needs numba."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]  # llvmlite has no types
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LINE = 64
"""Bytes of a cache line, the unit in which memory is fetched."""
BYTE = ir.PointerType(ir.IntType(8))

_intrinsic: Any = intrinsic  # its types do not show that numba supplies the first argument
_helpers: Any = cgutils  # untyped


def fetching(ahead: int) -> Any:
    """Returns the compiled `prefetch`, which fetches the whole row of a player in the game `ahead` games later.

    It is a numba intrinsic, since every call of a compiled function would count references to its arrays.
    """

    @_intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
    def prefetch(typing: Any, table: Any, rows: Any, g: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> None:
            columns, index = (
                context.make_array(kind)(context, builder, args[n]) for n, kind in enumerate((table, rows))
            )
            soon = builder.add(context.cast(builder, args[2], g, types.intp), ir.Constant(ir.IntType(64), ahead))
            with builder.if_then(builder.icmp_signed("<", soon, index.nitems)):
                row = context.cast(builder, builder.load(builder.gep(index.data, [soon])), rows.dtype, types.intp)
                step = builder.extract_value(columns.strides, 0)
                width = step if table.ndim > 1 else columns.itemsize
                start = builder.gep(builder.bitcast(columns.data, BYTE), [builder.mul(row, step)])
                with _helpers.for_range_slice(builder, width.type(0), width, width.type(LINE)) as (at, _):
                    _ask(builder, builder.gep(start, [at]))

        return types.void(table, rows, g), code

    return prefetch


def _ask(builder: Any, place: Any) -> None:
    whole = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [BYTE, whole, whole, whole])
    call = _helpers.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(call, [place, whole(1), whole(3), whole(1)])
