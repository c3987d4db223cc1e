import socket
from collections.abc import Iterator

from cairn.admin.report import Report
from cairn.production import unsafe_settings
from cairn.settings import PREFIX, Settings


def check_settings(settings: Settings) -> Report:
    """Checks that the settings fit together, and that the host can be used.

    Each setting by itself was already checked when the settings were loaded.
    """
    reasons = [*unsafe_settings(settings), *_unusable_host(settings)]
    if not reasons:
        return Report([], "The settings can be used.")
    return Report([{"problem": reason} for reason in reasons], "\n".join(reasons), exit_code=1)


def _unusable_host(settings: Settings) -> Iterator[str]:
    try:
        socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        yield f"{PREFIX}HOST cannot be used: {settings.host} has no network address ({error})."
