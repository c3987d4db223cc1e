"""Sends web push messages, which also reach browsers in which the site is not open.

A push service of the browser vendor delivers the message. The service cannot read it, because it is encrypted.
"""

from cairn.messaging.push.push_sender import PushFailed, PushSender, Subscription, SubscriptionGone
from cairn.messaging.push.settings import PushSettings
from cairn.messaging.push.vapid import new_push_key

__all__ = ["PushFailed", "PushSender", "PushSettings", "Subscription", "SubscriptionGone", "new_push_key"]
