"""Ratings over HTTP: an API that programs rely on and pages that people read; the command `serve`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ratingcore_service.front import Front

__all__ = ["application"]


def application(address: str, **settings: Any) -> "Front":
    """Makes the ASGI application of a log; nothing is opened before its first request.

    Parameters
    ----------
    address : str
        The log: a file, or an address such as `postgresql://club@db/league?log=rapid`.
    **settings
        Fields of `ratingcore_service.settings.Settings`.

    Returns
    -------
    ASGI application
        To be served by uvicorn, or mounted in Starlette, FastAPI or Django.

    Raises
    ------
    BadValue
        If there is no setting of a name, or its value is not allowed.

    Examples
    --------
    >>> application(":memory:", title="Club ratings").service.settings.title
    'Club ratings'
    """
    from ratingcore_service.app import make  # the extra is needed here, but not for the help of a command

    return make(address, settings)
