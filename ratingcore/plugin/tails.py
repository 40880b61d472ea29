"""The normal curve in its tails: what a win, a draw or a place tells of strengths, however unlikely it was."""

from ratingcore.methods.tails import above, decay, drawn, mills, mills_excess, normal_near, pull_near, won
