"""Columns, predicates and sort keys as SQL."""

from cairn.rest.catalog import TEXT, Name, Type
from cairn.rest.plan import ColumnRef, ColumnTest, EmbedTest, Predicate
from cairn.rest.statement.parameters import Parameters, ident, qualified

HAS_ROWS = "cairn_has_rows"
"""A column of every lateral join."""

_OPERATORS = {
    "eq": "=",
    "neq": "<>",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
    "like": "like",
    "ilike": "ilike",
    "match": "~",
    "imatch": "~*",
    "isdistinct": "is distinct from",
    "cs": "@>",
    "cd": "<@",
    "ov": "&&",
    "sl": "<<",
    "sr": ">>",
    "nxr": "&<",
    "nxl": "&>",
    "adj": "-|-",
}
_PATTERNS = frozenset({"like", "ilike", "match", "imatch"})
_FULL_TEXT = {
    "fts": "to_tsquery",
    "plfts": "plainto_tsquery",
    "phfts": "phraseto_tsquery",
    "wfts": "websearch_to_tsquery",
}
_IS = {
    "null": "is null",
    "not_null": "is not null",
    "true": "is true",
    "false": "is false",
    "unknown": "is unknown",
}


def ref_sql(ref: ColumnRef, parameters: Parameters) -> str:
    column = f"{ident(ref.alias)}.{ident(ref.column.name)}"
    if ref.computed_by:
        column = f"{qualified(ref.computed_by)}({row_sql(ref.alias, ref.row_type)})"
    if not ref.steps:
        return column
    path = column if ref.is_json else f"to_jsonb({column})"
    for step in ref.steps:
        arrow = "->>" if step.as_text else "->"
        key = f"({step.key})" if isinstance(step.key, int) else parameters.text(step.key)
        path = f"{path} {arrow} {key}"
    return f"({path})"


def row_sql(alias: str, row_type: Name | None) -> str:
    return f"row({ident(alias)}.*)::{qualified(row_type)}" if row_type else ident(alias)


def predicate_sql(predicate: Predicate, parameters: Parameters) -> str:
    if isinstance(predicate, EmbedTest):
        return f"{ident(predicate.lateral)}.{ident(HAS_ROWS)} is {'true' if predicate.has_rows else 'not true'}"
    if isinstance(predicate, ColumnTest):
        test = _test_sql(predicate, parameters)
        return f"not ({test})" if predicate.negated else test
    joined = f" {predicate.operator} ".join(f"({predicate_sql(part, parameters)})" for part in predicate.parts)
    return f"not ({joined})" if predicate.negated else joined


def _test_sql(test: ColumnTest, parameters: Parameters) -> str:
    left, type_ = ref_sql(test.ref, parameters), test.ref.type
    if isinstance(test.value, tuple):
        return f"{left} = any ({_cast(parameters.texts(test.value), type_.array_sql)})"
    if test.operator == "is":
        return f"{left} {_IS[test.value]}"
    if test.operator in _FULL_TEXT:
        return _full_text_sql(test, test.value, left, parameters)
    value = test.value
    if test.operator in _PATTERNS:
        type_ = type_ if type_.category == "S" else TEXT
        # In a URL a percent sign has to be encoded, so clients may write a star instead.
        value = value.replace("*", "%") if test.operator in ("like", "ilike") else value
    operator = _OPERATORS[test.operator]
    if test.quantifier:
        return f"{left} {operator} {test.quantifier} ({_cast(parameters.text(value), type_.array_sql)})"
    return f"{left} {operator} {literal_sql(value, type_, parameters)}"


def _full_text_sql(test: ColumnTest, value: str, left: str, parameters: Parameters) -> str:
    config = f"{_cast(parameters.text(test.config), 'pg_catalog.regconfig')}, " if test.config else ""
    document = left if test.ref.type.sql == "pg_catalog.tsvector" else f"to_tsvector({config}{left})"
    return f"{document} @@ {_FULL_TEXT[test.operator]}({config}{parameters.text(value)})"


def literal_sql(value: str, type_: Type, parameters: Parameters) -> str:
    return parameters.text(value) if type_ == TEXT else _cast(parameters.text(value), type_.sql)


def _cast(expression: str, type_sql: str) -> str:
    """Types without an array type have an empty `array_sql`; then PostgreSQL decides whether the test is valid."""
    return f"({expression})::{type_sql}" if type_sql else expression
