"""Lists the HTTP methods that a table, view or function supports, for OPTIONS requests."""

from cairn.rest.catalog import Catalog
from cairn.rest.errors import NoSuchFunction
from cairn.rest.plan.lookup import find_table
from cairn.rest.request import ParsedRequest

_METHODS_BY_WRITE = {"insert": "POST", "update": "PATCH", "delete": "DELETE"}


def allowed_methods(catalog: Catalog, parsed: ParsedRequest) -> tuple[str, ...]:
    if parsed.is_call:
        return _function_methods(catalog, parsed)
    writes = find_table(catalog, parsed.schema, parsed.name).supported_writes
    write_methods = [method for write, method in _METHODS_BY_WRITE.items() if write in writes]
    # PUT inserts the row, or updates it if it exists.
    if {"insert", "update"} <= writes:
        write_methods.append("PUT")
    return ("OPTIONS", "GET", "HEAD", *write_methods)


def _function_methods(catalog: Catalog, parsed: ParsedRequest) -> tuple[str, ...]:
    overloads = catalog.functions.get((parsed.schema, parsed.name))
    if not overloads:
        raise NoSuchFunction(signature=f"{parsed.schema}.{parsed.name}")
    if all(function.volatile for function in overloads):
        return ("OPTIONS", "POST")
    return ("OPTIONS", "GET", "HEAD", "POST")
