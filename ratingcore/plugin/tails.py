"""The tails of the normal curve: the evidence of a win, a draw or a place, even of very unlikely ones."""

from ratingcore.methods.tails import above, decay, drawn, mills, mills_excess, normal_near, pull_near, won
