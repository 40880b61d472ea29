"""The law of joint deviations: covariances fit the deviations that are listed."""

import numpy as np

from ratingcore.methods.contract import Method, Solved
from ratingcore.testing.assertions import same
from ratingcore.testing.law import EVERY, DoesNotApply, Violation, law_of_seasons
from ratingcore.testing.season import Season


@law_of_seasons(EVERY)
def covariance(method: Method, season: Season) -> None:
    """Covariances are the same both ways, no larger than deviations allow, and of one player the listed variance."""
    for stage in season.stages(method):
        solved = method.rate(stage.state, stage.results)
        if not isinstance(solved, Solved) or solved.covariance is None:
            raise DoesNotApply("the method gives no covariances")
        players = range(min(6, len(stage.state["rating"])))
        joint = np.array([[solved.covariance(i, j) for j in players] for i in players])
        same("covariance, both ways,", joint, joint.T, exact=False)
        own = np.sqrt(np.diag(joint))
        if "deviation" in solved.state.names:
            same("root of the own covariance, and deviation,", own, solved.state["deviation"][: len(own)], exact=False)
        if (np.abs(joint) > np.outer(own, own) * (1.0 + 1e-9) + 1e-9).any():
            raise Violation("a covariance is larger than the deviations of both players allow")
