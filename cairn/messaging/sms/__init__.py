"""Text messages: what one is and costs, what a gateway says about it, and which gateways there are."""

from cairn.messaging.sms.limits import Recent, TextLimits, refusal
from cairn.messaging.sms.number import read_number
from cairn.messaging.sms.segments import from_sender
from cairn.messaging.sms.text_message import GuestText, Texter, TextMessage
from cairn.messaging.sms.twilio import TwilioSettings, TwilioTexter

__all__ = [
    "GuestText",
    "Recent",
    "TextLimits",
    "TextMessage",
    "Texter",
    "TwilioSettings",
    "TwilioTexter",
    "from_sender",
    "read_number",
    "refusal",
]
