"""Pictures as PNG, SVG or parts of a page, with the script that draws those in a browser."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from ratingcore.report.style import CONFIG, WIDTH, Picture, library


def svg(pictures: Sequence[Picture], title: str = "") -> str:
    """Pictures under one title as SVG, with text kept as text."""
    alt = library()
    import vl_convert

    return str(vl_convert.vegalite_to_svg(_together(pictures, title), vl_version=_version(alt)))


def png(pictures: Sequence[Picture], title: str = "", scale: float = 2.0) -> bytes:
    """Pictures under one title as PNG, `scale` dots a pixel."""
    alt = library()
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(_together(pictures, title), vl_version=_version(alt), scale=scale))


def inlined(picture: Picture) -> dict[str, Any]:
    """The Vega-Lite specification of a picture on a page: as wide as its place, without a heading."""
    spec: dict[str, Any] = picture.chart.to_dict()
    spec.pop("config", None)  # once for all pictures of a page
    spec.pop("$schema", None)
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    spec["description"] = picture.description
    return spec


@cache
def script() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script that makes no requests."""
    alt = library()
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=_version(alt)))


def _version(alt: Any) -> str:
    """The Vega-Lite that altair speaks, as vl_convert spells it."""
    return ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])


def _together(pictures: Sequence[Picture], title: str) -> dict[str, Any]:
    alt = library()
    lone = len(pictures) == 1
    charts = [one.chart.properties(width=WIDTH, title="" if lone and title else one.title) for one in pictures]
    chart = (
        charts[0]
        if lone
        else alt.concat(*charts, columns=2, spacing=30).resolve_scale(
            color="independent", shape="independent", strokeDash="independent", size="independent"
        )
    )
    if title:
        chart = chart.properties(title=f"{title}: {pictures[0].title}" if lone else title)
    spec: dict[str, Any] = chart.to_dict()
    spec["config"] = CONFIG
    spec["description"] = " ".join(one.description for one in pictures)
    return spec
