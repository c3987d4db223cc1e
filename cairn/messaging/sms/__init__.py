"""Handles text messages: phone numbers, length, limits and the SMS gateway."""

from cairn.messaging.sms.limits import NEEDS_CONFIRMED_ADDRESS, TextLimits, take_text
from cairn.messaging.sms.phone_number import parse_phone_number
from cairn.messaging.sms.segments import with_sender_name
from cairn.messaging.sms.text_message import GuestText, SmsGateway, TextMessage
from cairn.messaging.sms.twilio import TwilioGateway, TwilioSettings

__all__ = [
    "NEEDS_CONFIRMED_ADDRESS",
    "GuestText",
    "SmsGateway",
    "TextLimits",
    "TextMessage",
    "TwilioGateway",
    "TwilioSettings",
    "parse_phone_number",
    "take_text",
    "with_sender_name",
]
