"""Selects the identities that a change may concern. PostgreSQL then checks which of them may see the row.

A row of a company is checked only for the people of that company and for channels without a user, so that a change
costs nothing for the dashboards of other companies. The people are read again for each batch, because they can join and
leave a company while their channels are open.
"""

from collections.abc import Iterable, Mapping

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.realtime import store
from cairn.realtime.change import Change
from cairn.realtime.channels import Channels, Identity
from cairn.realtime.table import CompanyTable, Table, TableName


@frozen_dataclass
class PendingChange:
    """A change and the identities that watch it. Row-level security then decides which of them receive it."""

    change: Change
    readers: tuple[Identity, ...]


async def pending_changes(
    connection: Connection, channels: Channels, tables: Mapping[TableName, Table], changes: Iterable[Change]
) -> list[PendingChange]:
    """Returns the changes of published tables, each with its readers. Other changes are left out."""
    published = [(change, _company_table(tables[change.table], change)) for change in changes if change.table in tables]
    people = await store.possible_readers(connection, {company for _, company in published if company})
    return [
        PendingChange(change, tuple(channels.readers(change.watched, people.get(company) if company else None)))
        for change, company in published
    ]


def _company_table(table: Table, change: Change) -> CompanyTable | None:
    """Returns the table and the company of a change, or None if it has no company."""
    if table.trigger_table is None or change.company is None:
        return None
    return table.trigger_table, change.company
