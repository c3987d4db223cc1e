"""Asking again: by the company's button and by its rhythm, until the recipient signs, the link expires, or they say no.

A reminder is a row (migration 0024), of which a session has at most one open; a job writes its mail under the same id,
and the mail goes out once or not at all.
"""

from cairn.waivers.reminders.schedule import remind_by_schedule
from cairn.waivers.reminders.stop import ADDRESS as STOP_ADDRESS
from cairn.waivers.reminders.stop import stopping
from cairn.waivers.reminders.write import objection, write_reminder

__all__ = ["STOP_ADDRESS", "objection", "remind_by_schedule", "stopping", "write_reminder"]
