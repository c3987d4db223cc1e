"""Declares and runs `cairn mailbox`."""

import argparse
import asyncio

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.db import SERVICE, Database
from cairn.messaging import KeptEmail, kept_emails
from cairn.serve import database_urls


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.add_argument("--last", type=int, default=10, metavar="N", help="how many (default 10)")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    settings = load_command_settings(args)

    async def load_emails(login_url: str) -> list[KeptEmail]:
        async with Database(login_url, pool_size=1) as database, database.acting_as(SERVICE, read_only=True) as conn:
            return await kept_emails(conn, args.last)

    with database_urls(settings) as (_, login_url):
        emails = asyncio.run(load_emails(login_url))
    for email in reversed(emails):
        print(f"{email.created_at:%Y-%m-%d %H:%M} to {email.recipient}: {email.subject}\n\n{email.body}\n")
    if not emails:
        print("no email was kept")
    return 0
