"""Runs the `cairn` command without one optimization: `python -m bench.cairn_without FILE serve …`.

FILE is the module of the optimization. It is disabled here, so that the product needs no setting that only the bench
would use.
"""

import sys

from cairn.cli import main
from cairn.db.write_settings import WRITE_SETTINGS
from cairn.header_limit import HeaderLimitProtocol
from cairn.one_write import OneWriteProtocol
from cairn.rest import handler, run


def _without_one_write() -> None:
    OneWriteProtocol.connection_made = HeaderLimitProtocol.connection_made  # type: ignore[method-assign] # replaced on purpose


def _without_pipeline() -> None:
    run._fits_pipeline = lambda *_: False


def _without_statement_cache() -> None:
    handler.cache_key = lambda _: (None, None)  # type: ignore[attr-defined, assignment] # the module imports this name


DISABLE_OPTIMIZATION = {
    "cairn/one_write.py": _without_one_write,
    "cairn/db/pipeline.py": _without_pipeline,
    "cairn/rest/statement_cache.py": _without_statement_cache,
    "cairn/db/write_settings.py": WRITE_SETTINGS.clear,
}

if __name__ == "__main__":
    DISABLE_OPTIMIZATION[sys.argv.pop(1)]()
    main()
