"""Why nobody on a list has a rating."""

import numpy as np

from ratingcore.columns.view import View
from ratingcore.methods.contract import Method
from ratingcore.replay.seeds import naming


def unrated(method: Method, view: View, identity: str) -> str:
    """A sentence about a view in which a method, of this identity, rates nobody."""
    seeds = view.seeds
    rule = [part for part in identity.partition("(")[2].removesuffix(")").split(", ") if _of_newcomers(part)]
    by = f" ({', '.join(rule)})" if rule else ""
    if np.count_nonzero(naming(seeds, method.columns())):
        return f"no result yet gives a first rating by {method.name}{by}, and no seed of a player of the list counts"
    return (
        f"{method.name}{by} gives a first rating from games against rated players, or later, and no seed gives one; "
        f"ratingcore seed brings ratings from outside"
    )


def _of_newcomers(part: str) -> bool:
    return part.startswith(("entry=", "unrated="))
