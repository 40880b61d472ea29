"""Settings and the one page of a site in Django."""

from django.http import HttpRequest, HttpResponse  # type: ignore[import-untyped]  # Django has no types
from django.urls import path  # type: ignore[import-untyped]  # Django has no types

ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = __name__
SECRET_KEY = "of the tests"  # no secret: the site lives as long as a test


def hello(request: HttpRequest) -> HttpResponse:
    """The page."""
    return HttpResponse("hello")


urlpatterns = [path("hello", hello)]
