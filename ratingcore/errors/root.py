"""The root of every error: what is wrong, and what to do next."""


class RatingCoreError(Exception):
    """Root of all errors of ratingcore; `hint` says what to do next, or is empty."""

    @property
    def hint(self) -> str:
        return ""
