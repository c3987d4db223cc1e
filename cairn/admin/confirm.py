import sys

from cairn.admin.errors import NotConfirmed


def confirm(question: str, *, is_confirmed: bool) -> None:
    """Prompts for a confirmation, unless the command was called with --yes."""
    if is_confirmed:
        return
    if not sys.stdin.isatty() or input(f"{question} [y/N] ").strip().lower() not in ("y", "yes"):
        raise NotConfirmed
