"""Makes stored positions valid after the database was restored into another PostgreSQL cluster.

A position says up to which event something has been read or delivered. It contains a transaction number, and each
cluster counts its transactions itself.
"""

from cairn.db import connect

# Each package with positions has one such function, which changes nothing if the positions are valid.
_FUNCTIONS = ("jobs.rebase_positions", "realtime.rebase_positions", "waivers.rebase_positions")


async def rebase_positions(admin_url: str) -> bool:
    """Returns whether positions came from a cluster that was ahead of this one."""
    connection = await connect(admin_url)
    try:
        async with connection.transaction():
            return any([await connection.fetchval(f"select {function}()") for function in _FUNCTIONS])
    finally:
        await connection.close()
