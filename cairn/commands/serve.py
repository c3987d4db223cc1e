"""Declares and runs `cairn serve`."""

import argparse

import uvloop

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.serve import reload_on_change, serve, serve_one_of_several


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (default 8000)")
    parser.add_argument("--no-worker", action="store_true", help="leave jobs to separate `cairn worker` processes")
    parser.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="server processes that share the port (default 1)",
    )
    parser.add_argument("--listener", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--process-number", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--reload", action="store_true", help="restart when the code changes (development)")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    names = ("data", "host", "port", "processes")
    flags = [f"--{name}={value}" for name in names if (value := getattr(args, name)) is not None]
    if args.reload:
        reload_on_change(["serve", *flags, *(["--no-worker"] if args.no_worker else [])])
        return 0
    settings = load_command_settings(args, host=args.host, port=args.port, processes=args.processes)
    if args.listener is not None:
        uvloop.run(serve_one_of_several(settings, args.listener, args.process_number))
        return 0
    worker_command = ["worker", "--until-stdin-closes", f"--data={settings.data}"]
    server_command = ["serve", f"--data={settings.data}"]
    uvloop.run(
        serve(settings, with_worker=not args.no_worker, worker_command=worker_command, server_command=server_command)
    )
    return 0
