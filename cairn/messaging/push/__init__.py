"""Web push: notifies browsers in which the site is not open. The push service in between cannot read the message."""

from cairn.messaging.push.push_sender import PushFailed, PushSender, Subscription, SubscriptionGone
from cairn.messaging.push.settings import PushSettings
from cairn.messaging.push.vapid import new_push_key

__all__ = ["PushFailed", "PushSender", "PushSettings", "Subscription", "SubscriptionGone", "new_push_key"]
