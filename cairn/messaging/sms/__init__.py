"""Handles text messages: phone numbers, length, limits and the SMS gateway."""

from cairn.messaging.sms.limits import RecentTexts, TextLimits, exceeded_limit
from cairn.messaging.sms.phone_number import parse_phone_number
from cairn.messaging.sms.segments import with_sender_name
from cairn.messaging.sms.text_message import GuestText, SmsGateway, TextMessage
from cairn.messaging.sms.twilio import TwilioGateway, TwilioSettings

__all__ = [
    "GuestText",
    "RecentTexts",
    "SmsGateway",
    "TextLimits",
    "TextMessage",
    "TwilioGateway",
    "TwilioSettings",
    "exceeded_limit",
    "parse_phone_number",
    "with_sender_name",
]
