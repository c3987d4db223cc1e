"""OPTIONS: which methods make sense here."""

from cairn.rest.catalog import Catalog
from cairn.rest.errors import NoSuchFunction
from cairn.rest.plan.lookup import find_table
from cairn.rest.request import Asked

_METHODS = {"insert": ("POST",), "update": ("PATCH",), "delete": ("DELETE",)}


def allowed_methods(catalog: Catalog, asked: Asked) -> tuple[str, ...]:
    if asked.calls:
        return _for_function(catalog, asked)
    verbs = find_table(catalog, asked.schema, asked.name).verbs
    writes = tuple(method for verb, methods in _METHODS.items() if verb in verbs for method in methods)
    put = ("PUT",) if {"insert", "update"} <= verbs else ()
    return ("OPTIONS", "GET", "HEAD", *writes, *put)


def _for_function(catalog: Catalog, asked: Asked) -> tuple[str, ...]:
    overloads = catalog.functions.get((asked.schema, asked.name))
    if not overloads:
        raise NoSuchFunction(signature=f"{asked.schema}.{asked.name}")
    if all(one.volatile for one in overloads):
        return ("OPTIONS", "POST")
    return ("OPTIONS", "GET", "HEAD", "POST")
