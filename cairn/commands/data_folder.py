"""The argument `--data`, which nearly all commands have, and loading the settings with it."""

import argparse
from pathlib import Path

from cairn.logs import configure_logging
from cairn.settings import Settings, load_settings


def add_data_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="the data folder (default ./cairn-data)")


def load_command_settings(args: argparse.Namespace, **flags: object) -> Settings:
    """Loads the settings and configures the log as they say."""
    settings = load_settings(data=args.data, **flags)
    configure_logging(settings.log)
    return settings
