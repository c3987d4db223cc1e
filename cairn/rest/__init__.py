"""`/rest/v1`: the tables, views and functions of the exposed schemas, under row-level security.

The service implements the API of PostgREST. A request passes through these stages, and no stage calls an earlier one:

    request    HttpRequest -> ParsedRequest; `grammar` parses the query string
    plan       ParsedRequest -> Plan: every name is resolved in the `catalog`
    statement  Plan -> Statement: one SQL statement, in which PostgreSQL builds the JSON
    run        Statement -> Result
    response   Result -> Response

All stages except `run` are pure. In the SQL, every value is a parameter and every identifier comes from the catalog.
`handler` calls the stages. `statement_cache` lets a repeated request skip the first three. `errors` lists the errors of
the service, and `sqlstate` translates the errors of PostgreSQL.
"""

from cairn.rest.asgi import service
from cairn.rest.settings import RestSettings

__all__ = ["RestSettings", "service"]
