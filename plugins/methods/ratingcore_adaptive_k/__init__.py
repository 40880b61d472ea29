"""The plugin adaptive-k: Elo whose K rises for players who do better, or worse, than they used to."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_adaptive_k.adaptive_k import AdaptiveK

__all__ = ["AdaptiveK"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [AdaptiveK]
