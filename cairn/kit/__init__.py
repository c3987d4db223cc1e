"""Tools for every package that know nothing about waivers: errors, the clock, encrypted secrets, request bodies,
routes, server-rendered pages, posting to URLs that companies have entered, and processes for expensive work.

This is the lowest layer. It imports no other package of Cairn.
"""

from cairn.kit.body import TRUSTED_SENDER, BodyTooLarge, CountedBody, LargeBodiesBusy, read_body
from cairn.kit.byte_range import ByteRangeInvalid, parse_byte_range
from cairn.kit.cancel import cancel_and_wait
from cairn.kit.clean_text import clean_text
from cairn.kit.clock import now
from cairn.kit.cors import Cors
from cairn.kit.counts import count, counts
from cairn.kit.dataclasses import frozen_dataclass
from cairn.kit.disconnects import QuietDisconnects, handle_disconnect
from cairn.kit.email_address import is_one_address, mailbox_of, valid_address
from cairn.kit.endpoint import (
    Endpoint,
    EndpointNotAllowed,
    Networks,
    Resolve,
    check_endpoint,
    check_entered_endpoint,
    resolve_host,
)
from cairn.kit.error_responses import log_failure, log_problem, retry_headers
from cairn.kit.fair_turns import FairTurns, TooBusy
from cairn.kit.form import MAX_ESCAPES, parse_form, read_form
from cairn.kit.https import HttpsOnly
from cairn.kit.local_time import UTC_ZONE, LocalZone, local_zone
from cairn.kit.page import HTML_START, LOGO, PRIVATE_PAGE_HEADERS, html_page, message_response, page_response
from cairn.kit.parse_json import parse_json
from cairn.kit.post import PostResponse, create_ssl_context, default_ssl_context, post_to
from cairn.kit.problem import Problem
from cairn.kit.regular_expression import has_backreference
from cairn.kit.request_id import RequestIds, current_request_id
from cairn.kit.routes import Routes
from cairn.kit.sandbox_pool import PoolSize, SandboxPool
from cairn.kit.sandbox_process import SandboxLimits, preload
from cairn.kit.sandbox_reply import LimitExceeded, SandboxFailed, TookTooLong
from cairn.kit.secret_box import DecryptionFailed, SecretBox
from cairn.kit.secret_file import replace_file, write_once
from cairn.kit.security_headers import SecurityHeaders
from cairn.kit.service_router import ServiceRouter
from cairn.kit.spans import record_spans_with, span
from cairn.kit.validation import WrongField, first_wrong_field
from cairn.kit.zip_stream import ZipStream

__all__ = [
    "HTML_START",
    "LOGO",
    "MAX_ESCAPES",
    "PRIVATE_PAGE_HEADERS",
    "TRUSTED_SENDER",
    "UTC_ZONE",
    "BodyTooLarge",
    "ByteRangeInvalid",
    "Cors",
    "CountedBody",
    "DecryptionFailed",
    "Endpoint",
    "EndpointNotAllowed",
    "FairTurns",
    "HttpsOnly",
    "LargeBodiesBusy",
    "LimitExceeded",
    "LocalZone",
    "Networks",
    "PoolSize",
    "PostResponse",
    "Problem",
    "QuietDisconnects",
    "RequestIds",
    "Resolve",
    "Routes",
    "SandboxFailed",
    "SandboxLimits",
    "SandboxPool",
    "SecretBox",
    "SecurityHeaders",
    "ServiceRouter",
    "TooBusy",
    "TookTooLong",
    "WrongField",
    "ZipStream",
    "cancel_and_wait",
    "check_endpoint",
    "check_entered_endpoint",
    "clean_text",
    "count",
    "counts",
    "create_ssl_context",
    "current_request_id",
    "default_ssl_context",
    "first_wrong_field",
    "frozen_dataclass",
    "handle_disconnect",
    "has_backreference",
    "html_page",
    "is_one_address",
    "local_zone",
    "log_failure",
    "log_problem",
    "mailbox_of",
    "message_response",
    "now",
    "page_response",
    "parse_byte_range",
    "parse_form",
    "parse_json",
    "post_to",
    "preload",
    "read_body",
    "read_form",
    "record_spans_with",
    "replace_file",
    "resolve_host",
    "retry_headers",
    "span",
    "valid_address",
    "write_once",
]
