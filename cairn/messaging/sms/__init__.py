"""Text messages: what one is and costs, what a gateway says about it, and which gateways there are."""

from cairn.messaging.sms.limits import Recent, TextLimits, refusal
from cairn.messaging.sms.phone_number import parse_phone_number
from cairn.messaging.sms.segments import with_sender_name
from cairn.messaging.sms.text_message import GuestText, SmsGateway, TextMessage
from cairn.messaging.sms.twilio import TwilioGateway, TwilioSettings

__all__ = [
    "GuestText",
    "Recent",
    "SmsGateway",
    "TextLimits",
    "TextMessage",
    "TwilioGateway",
    "TwilioSettings",
    "parse_phone_number",
    "refusal",
    "with_sender_name",
]
