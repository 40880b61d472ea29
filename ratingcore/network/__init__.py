"""Who is comparable with whom: how results connect the players of a pool, and which results alone do."""

from ratingcore.network.connectedness import Connectedness, connectedness
from ratingcore.network.summary import Network, network

__all__ = ["Connectedness", "Network", "connectedness", "network"]
