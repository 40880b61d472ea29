"""Imports for the tails of the normal curve: updates after a win, a draw or a place, however unlikely."""

from ratingcore.methods.tails import above, decay, drawn, mills, mills_excess, normal_near, pull_near, won
