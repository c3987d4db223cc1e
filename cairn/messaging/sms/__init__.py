"""Text messages: what one is, what a gateway says about it, and which gateways there are."""

from cairn.messaging.sms.text_message import Texter, TextMessage
from cairn.messaging.sms.twilio import TwilioSettings, TwilioTexter

__all__ = ["TextMessage", "Texter", "TwilioSettings", "TwilioTexter"]
