"""Writes column references and predicates as SQL."""

from cairn.rest.catalog import TEXT, Name, Type
from cairn.rest.plan.model import ColumnRef, ColumnTest, EmbedTest, Predicate
from cairn.rest.statement.parameters import Parameters, qualified_name, quote_ident

HAS_ROWS = "cairn_has_rows"
"""Every lateral join has a column of this name, which is true if the embed has rows."""

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
_PATTERN_OPERATORS = frozenset({"like", "ilike", "match", "imatch"})
_FULL_TEXT_FUNCTIONS = {
    "fts": "to_tsquery",
    "plfts": "plainto_tsquery",
    "phfts": "phraseto_tsquery",
    "wfts": "websearch_to_tsquery",
}
_IS_TESTS = {
    "null": "is null",
    "not_null": "is not null",
    "true": "is true",
    "false": "is false",
    "unknown": "is unknown",
}


def ref_sql(ref: ColumnRef, parameters: Parameters) -> str:
    column = f"{quote_ident(ref.alias)}.{quote_ident(ref.column.name)}"
    if ref.computed_by:
        column = f"{qualified_name(ref.computed_by)}({row_sql(ref.alias, ref.row_type)})"
    if not ref.steps:
        return column
    path = column if ref.is_json_column else f"to_jsonb({column})"
    for step in ref.steps:
        arrow = "->>" if step.as_text else "->"
        key = f"({step.key})" if isinstance(step.key, int) else parameters.text(step.key)
        path = f"{path} {arrow} {key}"
    return f"({path})"


def row_sql(alias: str, row_type: Name | None) -> str:
    return f"row({quote_ident(alias)}.*)::{qualified_name(row_type)}" if row_type else quote_ident(alias)


def predicate_sql(predicate: Predicate, parameters: Parameters) -> str:
    if isinstance(predicate, EmbedTest):
        expected = "true" if predicate.has_rows else "not true"
        return f"{quote_ident(predicate.lateral)}.{quote_ident(HAS_ROWS)} is {expected}"
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
        return f"{left} {_IS_TESTS[test.value]}"
    if test.operator in _FULL_TEXT_FUNCTIONS:
        return _full_text_sql(test, test.value, left, parameters)
    value = test.value
    if test.operator in _PATTERN_OPERATORS:
        type_ = type_ if type_.category == "S" else TEXT
        # A percent sign must be encoded in a URL, so clients may write a star instead.
        value = value.replace("*", "%") if test.operator in ("like", "ilike") else value
    operator = _OPERATORS[test.operator]
    if test.quantifier:
        return f"{left} {operator} {test.quantifier} ({_cast(parameters.text(value), type_.array_sql)})"
    return f"{left} {operator} {literal_sql(value, type_, parameters)}"


def _full_text_sql(test: ColumnTest, value: str, left: str, parameters: Parameters) -> str:
    config = f"{_cast(parameters.text(test.config), 'pg_catalog.regconfig')}, " if test.config else ""
    document = left if test.ref.type.sql == "pg_catalog.tsvector" else f"to_tsvector({config}{left})"
    return f"{document} @@ {_FULL_TEXT_FUNCTIONS[test.operator]}({config}{parameters.text(value)})"


def literal_sql(value: str, type_: Type, parameters: Parameters) -> str:
    return parameters.text(value) if type_ == TEXT else _cast(parameters.text(value), type_.sql)


def _cast(expression: str, type_sql: str) -> str:
    """Casts the expression, unless the type is empty: `array_sql` is empty for a type that has no array type."""
    return f"({expression})::{type_sql}" if type_sql else expression
