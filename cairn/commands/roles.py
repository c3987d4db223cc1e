"""Declares and runs `cairn roles`."""

import argparse

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.db import roles_script
from cairn.serve import database_admin_url


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    settings = load_command_settings(args)
    print(roles_script(database_admin_url(settings), settings.database.login_password.get_secret_value()))
    return 0
