"""The root class of all errors."""


class RatingCoreError(Exception):
    """Root of all errors of ratingcore; `hint` says what to do next, or is empty."""

    @property
    def hint(self) -> str:
        return ""
