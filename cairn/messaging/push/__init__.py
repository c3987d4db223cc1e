"""Sends web push messages, which also reach browsers in which the site is not open.

A push service of the browser vendor delivers the message. The service cannot read it, because it is encrypted.
"""

from cairn.messaging.push.push_sender import PushSender, Subscription
from cairn.messaging.push.settings import PushSettings
from cairn.messaging.push.vapid import new_push_key

__all__ = ["PushSender", "PushSettings", "Subscription", "new_push_key"]
