"""`/rest/v1`: the tables, views and functions of the exposed schemas, under row-level security.

The API is that of PostgREST. A request passes through the stages in this order, and no stage calls an earlier one:

    request    HttpRequest -> ParsedRequest; `grammar` parses the query string
    plan       ParsedRequest -> Plan: every name is resolved in the `catalog`
    statement  Plan -> Statement: one SQL statement, whose JSON is built by PostgreSQL
    run        Statement -> Result
    response   Result -> Response

All stages except `run` are pure. Every value is a parameter and every identifier comes from the catalog. `handler`
calls the stages, `statement_cache` skips those whose outcome is known, `errors` lists the errors, and `sqlstate`
translates those of PostgreSQL.
"""

from cairn.rest.asgi import service
from cairn.rest.settings import RestSettings

__all__ = ["RestSettings", "service"]
