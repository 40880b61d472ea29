"""A calendar of lists: publishes all lists that are due; brings the command `calendar`."""

from ratingcore_calendar.calendar import Calendar, Due, publish_calendar

__all__ = ["Calendar", "Due", "publish_calendar"]
