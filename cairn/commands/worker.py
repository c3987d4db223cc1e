"""Declares and runs `cairn worker`."""

import argparse
import asyncio
import signal

import uvloop

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.serve import database_urls
from cairn.worker import MAX_STOP_SECONDS, run_worker, stop_with_parent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.add_argument("--until-stdin-closes", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    settings = load_command_settings(args)

    async def work() -> None:
        stop = asyncio.Event()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(signal_number, stop.set)
        watcher = asyncio.create_task(stop_with_parent(stop, MAX_STOP_SECONDS)) if args.until_stdin_closes else None
        with database_urls(settings) as (_, login_url):
            await run_worker(settings, login_url, stop)
        if watcher is not None:
            watcher.cancel()

    uvloop.run(work())
    return 0
