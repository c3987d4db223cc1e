"""Lists the HTTP methods that a table, view or function supports, for OPTIONS requests."""

from cairn.rest.catalog import Catalog
from cairn.rest.errors import NoSuchFunction
from cairn.rest.plan.lookup import find_table
from cairn.rest.request import ParsedRequest

_WRITE_METHODS = {"insert": ("POST",), "update": ("PATCH",), "delete": ("DELETE",)}


def allowed_methods(catalog: Catalog, parsed: ParsedRequest) -> tuple[str, ...]:
    if parsed.is_call:
        return _function_methods(catalog, parsed)
    verbs = find_table(catalog, parsed.schema, parsed.name).verbs
    write_methods = tuple(method for verb, methods in _WRITE_METHODS.items() if verb in verbs for method in methods)
    put_method = ("PUT",) if {"insert", "update"} <= verbs else ()
    return ("OPTIONS", "GET", "HEAD", *write_methods, *put_method)


def _function_methods(catalog: Catalog, parsed: ParsedRequest) -> tuple[str, ...]:
    overloads = catalog.functions.get((parsed.schema, parsed.name))
    if not overloads:
        raise NoSuchFunction(signature=f"{parsed.schema}.{parsed.name}")
    if all(function.volatile for function in overloads):
        return ("OPTIONS", "POST")
    return ("OPTIONS", "GET", "HEAD", "POST")
