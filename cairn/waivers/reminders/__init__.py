"""Reminds guests to sign, when the company presses a button or on the company's schedule.

Reminders end when the guest signs or opts out, or when the link expires. A reminder is a row, and a session has at most
one open reminder. A job writes its email under the same id, so that the email is sent at most once.
"""

from cairn.waivers.reminders.queue_scheduled import queue_scheduled_reminders
from cairn.waivers.reminders.stop_page import STOP_PATH, stop_page
from cairn.waivers.reminders.write_reminder import reason_not_to_send, write_reminder

__all__ = ["STOP_PATH", "queue_scheduled_reminders", "reason_not_to_send", "stop_page", "write_reminder"]
