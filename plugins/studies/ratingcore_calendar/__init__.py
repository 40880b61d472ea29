"""A calendar of lists: what is due, published in one go; brings the command `calendar`."""

from ratingcore_calendar.calendar import Calendar, Due, publish_calendar

__all__ = ["Calendar", "Due", "publish_calendar"]
