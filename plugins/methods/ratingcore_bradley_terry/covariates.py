"""Covariates: facts other than the players that may decide a result, such as the lengths of two answers."""

from math import inf, nan

import numpy as np
from attrs import field, frozen

from ratingcore.plugin import BadParameter, BadValue, Coefficient, Floats, Games, Ints, Need
from ratingcore_bradley_terry.curvature import Curvature, Root
from ratingcore_bradley_terry.field import Field
from ratingcore_bradley_terry.fit import EDGE, SHOWN, Fit

COLLINEAR = 1e-8
"""Share of a covariate below which it is determined: players and earlier covariates explain all the rest."""


@frozen
class Covariates:
    """Fields of results that are covariates, spelt `style_length+style_lists`.

    A field `x` holds a difference as seen from side `a`. Results may have a value for each side instead, `x_a` and
    `x_b`, whose difference is taken. A result without any of them has the difference 0.

    Examples
    --------
    >>> str(Covariates.parse("style_length + first"))
    'style_length+first'
    """

    names: tuple[str, ...] = field(default=())

    @classmethod
    def parse(cls, text: str) -> "Covariates":
        """Reads names with `+` between them; raises `BadValue` for any other text."""
        names = tuple(part.strip() for part in text.split("+"))
        if not all(names) or len({*names}) < len(names):
            raise BadValue("with", text, "must be different names of fields, joined by +")
        return cls(names)

    def __str__(self) -> str:
        return "+".join(self.names)

    @property
    def needs(self) -> tuple[Need, ...]:
        """The fields of results that are read."""
        return tuple(Need(f"{name}{side}", default=nan) for name in self.names for side in ("", "_a", "_b"))

    def of(self, games: Games) -> Floats:
        """(n, covariates) float64: the differences of each game, unscaled."""
        columns = []
        for name in self.names:
            difference, of_sides = games[name], games[f"{name}_a"] - games[f"{name}_b"]
            columns.append(np.nan_to_num(np.where(np.isnan(difference), of_sides, difference)))
        return np.column_stack(columns) if columns else np.empty((len(games), 0))

    def scaled(self, games: Games, method: str) -> tuple[Floats, Floats]:
        """The differences of each game in units of their root mean square, and these units.

        Raises
        ------
        BadParameter
            If no result has one of the fields, or the difference is 0 in all of them.
        """
        differences = self.of(games)
        most = np.abs(differences).max(axis=0, initial=0.0)
        with np.errstate(invalid="ignore"):  # 0 / 0: refused below
            scale = most * np.sqrt(((differences / most) ** 2).mean(axis=0)) if len(games) else most
        for name, width in zip(self.names, scale.tolist(), strict=True):
            if not width > 0.0:
                raise BadParameter(method, "with", f"names a field in which the sides never differ: {name!r}")
        return differences / scale, scale

    def check_distinct(self, results: Field, free: Floats, part: Ints, method: str) -> None:
        """Refuses a covariate that players and earlier covariates determine, since its worth cannot be estimated.

        From each covariate, least squares take what differences of players explain, and Gram and Schmidt's process what
        earlier covariates explain, with the numbers of games as weights. Nothing may be left over.
        """
        residuals: list[Floats] = []
        games = results.won + results.drawn + results.lost
        players_free = free.copy()
        n, size = len(part), len(free)
        players_free[n:] = 0.0
        zeros = np.zeros(len(games))
        diagonal = np.zeros(size)
        diagonal[:n] = np.bincount(results.i, games, n) + np.bincount(results.j, games, n)
        floating = np.where((np.bincount(part, 1.0 - free[:n]) > 0.0)[part], 0.0, 1.0)
        normal_equations = Curvature(results, games, zeros, zeros, diagonal, players_free, part, floating)
        columns = results.terms.T if free[n] else results.terms.T[1:]
        for name, column in zip(("home",) * bool(free[n]) + self.names, columns, strict=True):
            weighted = games * column
            right = np.zeros(size)
            right[:n] = np.bincount(results.i, weighted, n) - np.bincount(results.j, weighted, n)
            strength = normal_equations.solved(right * players_free)[:n]
            residual = column - (strength[results.i] - strength[results.j])
            for one in residuals:
                residual = residual - one * float((games * one * residual).sum()) / float((games * one * one).sum())
            whole = float((games * column * column).sum())
            if float((games * residual * residual).sum()) <= COLLINEAR * whole:
                why = f"names a field that the players and the other fields determine: {name!r}"
                raise BadParameter(method, "with", why)
            residuals.append(residual)

    def check_bounded(self, fit: Fit, method: str) -> None:
        """Refuses a covariate that decides every result: no finite worth of it is the most likely one."""
        edges = np.abs(fit.edges[1:])
        reach = edges * np.abs(fit.curvature.field.terms[:, 1:]).max(axis=0, initial=0.0)
        unbounded = (edges >= EDGE) | (reach >= EDGE) & (fit.moved > SHOWN)
        for name, decides in zip(self.names, unbounded.tolist(), strict=True):
            if decides:
                why = f"names a field that decides every result in which the sides differ in it: {name!r}"
                raise BadParameter(method, "with", why)

    def worth(
        self, fit: Fit, scale: Floats, points: float, root: Root | None, degrees: float
    ) -> tuple[Coefficient, ...]:
        """Returns what home advantage and a usual difference in each covariate are worth in points, with intervals."""
        from scipy.special import ndtri, stdtrit  # type: ignore[import-untyped]  # scipy has no types  # seldom asked for

        n, wide = len(fit.theta), float(ndtri(0.975) if degrees == inf else stdtrit(degrees, 0.975))
        found = []
        for k, (name, per) in enumerate(zip(("home", *self.names), (1.0, *scale.tolist()), strict=True)):
            if fit.curvature.free[n + k]:
                value = float(fit.edges[k]) * points
                error = fit.curvature.variance_of(n + k, root) ** 0.5 * points if degrees > 0.0 else nan
                found.append(Coefficient(name, value, value - wide * error, value + wide * error, per))
        return tuple(found)
