"""Measures how much each company stores in a day, so that strangers cannot fill the disk through its signing page."""

import logging

from cairn.db import SERVICE, Database
from cairn.waivers.settings import WaiverSettings

log = logging.getLogger(__name__)


async def measure_storage(database: Database, settings: WaiverSettings) -> None:
    """Measures all companies. The database enforces the quotas by this result until the next measurement.

    Above its quota, a company gets no large signatures from the networks that stored the most. Above twice its quota,
    these networks are refused, and other guests are not. Above four times its quota, it gets large signatures only
    from its own devices. Its own accounts are refused only if they themselves have stored more than twice the quota.
    """
    async with database.acting_as(SERVICE) as connection:
        rows = await connection.fetch("select waivers.measure_storage($1) as company", settings.daily_bytes_per_company)
    for row in rows:
        log.warning("company %s has reached its storage quota of one day", row["company"])
