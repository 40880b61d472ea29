"""The plugin ecf: the grades of English chess before 2020."""

from ratingcore.plugin import Method, hookimpl
from ratingcore_ecf.ecf_grade import EcfGrade

__all__ = ["EcfGrade"]


@hookimpl
def ratingcore_methods() -> list[type[Method]]:
    return [EcfGrade]
