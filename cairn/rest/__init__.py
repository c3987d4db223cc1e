"""`/rest/v1`: the tables, views and functions of the exposed schemas, under row-level security.

A pipeline in which no stage looks back: request → grammar → catalog → plan → sql → run → respond. Grammar, planning
and SQL are pure; `run` alone touches a connection, but for the one on which `notices` listens. One statement a request,
its json built by Postgres. Every value is a parameter and every identifier comes from the catalog. `errors` lists the
refusals, `sqlstate` translates those of Postgres.
"""

from cairn.rest.asgi import service
from cairn.rest.settings import RestSettings

__all__ = ["RestSettings", "service"]
