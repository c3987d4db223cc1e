"""Configures the log: text for people at a terminal, and otherwise JSON, with one object on each line.

The log must not contain personal data. Log lines identify rows by their ids; the formatters also hide addresses, phone
numbers and tokens, because texts of errors may quote them.
"""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel

from cairn.kit import current_request_id

# PostgreSQL quotes refused rows after `DETAIL:`. Their texts may have several lines, so everything is hidden up to the
# hint, the next exception of a traceback or the end.
_DETAIL = re.compile(r"(?ms)^DETAIL: .*?(?=\nHINT: |\n\n(?:During handling|The above exception)|\Z)")
_IN_ADDRESS = r"[^\s@\"'<>()\[\]=,;:/\\]"
# Texts of errors may quote what a stranger sent. So each pattern reads a character only a few times: an address is
# matched only from the beginning of a word, and the first part of a token has at most 500 characters.
_HIDDEN = (
    (re.compile(rf"(?<!{_IN_ADDRESS}){_IN_ADDRESS}++@{_IN_ADDRESS}++"), "[address]"),
    (re.compile(r"\beyJ[\w-]{1,500}+\.[\w-]++\.[\w-]*+"), "[token]"),
    (re.compile(r"\+\d{8,15}\b"), "[phone]"),
)
# Of a longer text, this many characters at its beginning and at its end are logged.
_MAX_PART = 4_000


class LogSettings(BaseModel, frozen=True):
    # If it is not set, the log is text at a terminal and JSON everywhere else.
    format: Literal["json", "text"] | None = None


def configure_logging(settings: LogSettings) -> None:
    is_json = settings.format == "json" or (settings.format is None and not sys.stderr.isatty())
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if is_json else TextFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for logger in ("httpx", "procrastinate", "uvicorn.error", "websockets"):
        logging.getLogger(logger).setLevel(logging.WARNING)
    for logger in ("asyncpg.pool", "psycopg.pool"):
        # The pools log each lost connection with a traceback. The code that needed the connection logs it in one line.
        logging.getLogger(logger).setLevel(logging.CRITICAL)


def without_personal_data(text: str) -> str:
    text = _shortened(_DETAIL.sub("DETAIL: [hidden]", text))
    for pattern, replacement in _HIDDEN:
        text = pattern.sub(replacement, text)
    return text


def _shortened(text: str) -> str:
    """Leaves out the middle of a long text. It is cut between words, because half an address would not be hidden."""
    if len(text) <= 2 * _MAX_PART:
        return text
    return f"{text[:_MAX_PART].rpartition(' ')[0]} [...] {text[-_MAX_PART:].partition(' ')[2]}"


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_personal_data(record.getMessage()),
        }
        if request_id := current_request_id():
            line["request_id"] = request_id
        if record.exc_info:
            line["exception"] = without_personal_data(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", datefmt="%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        text = without_personal_data(super().format(record))
        request_id = current_request_id()
        if not request_id:
            return text
        # The id stands on the first line, above a traceback.
        first_line, line_break, rest = text.partition("\n")
        return f"{first_line} [request {request_id}]{line_break}{rest}"
