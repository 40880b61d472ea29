"""The root class of all errors, and values as their messages quote them."""

_MOST = 400


def quoted(value: object) -> str:
    """A value as Python spells it, in part where that is long.

    Examples
    --------
    >>> quoted("1-1"), quoted(10**5000)
    ("'1-1'", 'a whole number of 16610 bits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python spells no whole number of more than 4300 digits
        return f"a whole number of {value.bit_length()} bits" if isinstance(value, int) else type(value).__name__
    return text if len(text) <= _MOST else f"{text[: _MOST - 100]} ... ({len(text):,} characters)"


class RatingCoreError(Exception):
    """Root of all errors of ratingcore; `hint` says what to do next, or is empty."""

    @property
    def hint(self) -> str:
        return ""


class Advised(RatingCoreError):
    """An error whose hint depends on where it is raised: who raises it gives the hint as `advice`."""

    advice: str

    @property
    def hint(self) -> str:
        return self.advice
