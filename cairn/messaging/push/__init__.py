"""Push: telling a browser that is not open. What is sent passes a push service, which can read none of it."""

from cairn.messaging.push.push_sender import PushFailed, PushSender, Subscription, SubscriptionGone
from cairn.messaging.push.settings import PushSettings
from cairn.messaging.push.vapid import new_push_key

__all__ = ["PushFailed", "PushSender", "PushSettings", "Subscription", "SubscriptionGone", "new_push_key"]
