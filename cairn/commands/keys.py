"""Declares and runs `cairn keys`."""

import argparse
import contextlib
import json
import sys

from cairn.auth import Keyring
from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.secret_bundle import BUNDLE_WARNING, ROTATIONS, complete_bundle, rotate_secret, rotation_notice
from cairn.serve import database_admin_url, last_served_url
from cairn.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--bundle", action="store_true", help="print all secrets, for CAIRN_SECRETS")
    form.add_argument("--rotate", choices=ROTATIONS, metavar="NAME", help=f"replace one secret: {', '.join(ROTATIONS)}")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    settings = load_command_settings(args)
    if args.bundle or args.rotate:
        return _print_bundle(settings, args.rotate)
    keys = connection_details(settings)
    width = max(map(len, keys))
    lines = json.dumps(keys) if args.json else "\n".join(f"{name:<{width}}  {value}" for name, value in keys.items())
    with contextlib.suppress(BrokenPipeError):
        print(lines)
    return 0


def _print_bundle(settings: Settings, rotated_name: str | None) -> int:
    bundle = complete_bundle(settings) if rotated_name is None else rotate_secret(settings, rotated_name)
    notice = BUNDLE_WARNING if rotated_name is None else rotation_notice(rotated_name, bundle)
    print(f"cairn: {notice}", file=sys.stderr)
    if bundle is not None:
        print(json.dumps(bundle))
    return 0


def connection_details(settings: Settings) -> dict[str, str]:
    """Returns the URLs and keys that `cairn keys` prints.

    The URL of the embedded PostgreSQL works only while Cairn runs.
    """
    keyring = Keyring(settings.auth)
    return {
        "url": last_served_url(settings) or settings.auth.site_url,
        "anon_key": keyring.anon_key,
        "service_key": keyring.service_key,
        "jwt_secret": settings.auth.jwt_secret.get_secret_value(),
        "db_url": database_admin_url(settings),
    }
