"""Which way leads from one table to the embedded one, when there is exactly one."""

from cairn.rest.catalog import Catalog, Name, Relationship
from cairn.rest.errors import AmbiguousRelationship, NoRelationship
from cairn.rest.grammar import Embed
from cairn.rest.plan.lookup import closest


def find_relationship(catalog: Catalog, parent: Name, embed: Embed) -> Relationship:
    ways = [way for way in catalog.relationships.get(parent, ()) if way.target[0] == parent[0] or way.function]
    computed = [way for way in ways if way.function and way.constraint == embed.relation]
    if computed:
        return computed[0]
    found = [way for way in ways if not way.function and _leads_to(way, embed.relation) and _fits(way, embed.hint)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise _none_found(ways, parent, embed)
    raise _many_found(found, parent, embed)


def _leads_to(way: Relationship, name: str) -> bool:
    """By the table, or by the foreign key or its column where that says more."""
    if way.target[1] == name:
        return True
    if way.source == way.target and way.cardinality == "one-to-many":
        return False
    return way.constraint == name or (way.to_one and [column for column, _ in way.columns] == [name])


def _fits(way: Relationship, hint: str | None) -> bool:
    if hint is None:
        return True
    if way.junction:
        return hint == way.junction.table[1]
    named_columns = {name for pair in way.columns for name in pair} if len(way.columns) == 1 else set()
    if way.source == way.target:
        # A table that refers to itself: its column leads up to the one, the constraint down to the many.
        return hint == (way.columns[0][0] if way.to_one else way.constraint)
    return hint == way.constraint or hint in named_columns


def _none_found(ways: list[Relationship], parent: Name, embed: Embed) -> NoRelationship:
    close = closest(embed.relation, {way.target[1] for way in ways} - {embed.relation})
    using = f" using the hint '{embed.hint}'" if embed.hint else ""
    return NoRelationship(
        parent=parent[1],
        child=embed.relation,
        details=(
            f"Searched for a foreign key relationship between '{parent[1]}' and '{embed.relation}'{using} "
            f"in the schema '{parent[0]}', but no matches were found."
        ),
        hint=f"Perhaps you meant '{close}' instead of '{embed.relation}'." if close else None,
    )


def _many_found(found: list[Relationship], parent: Name, embed: Embed) -> AmbiguousRelationship:
    choices = ", ".join(f"'{way.target[1]}!{_hint_for(way)}'" for way in found)
    return AmbiguousRelationship(
        parent=parent[1],
        child=embed.relation,
        details=[
            {
                "cardinality": way.cardinality,
                "embedding": f"{way.source[1]} with {way.target[1]}",
                "relationship": _described(way),
            }
            for way in found
        ],
        hint=(
            f"Try changing '{embed.relation}' to one of the following: {choices}. "
            "Find the desired relationship in the 'details' key."
        ),
    )


def _hint_for(way: Relationship) -> str:
    return way.junction.table[1] if way.junction else way.constraint


def _described(way: Relationship) -> str:
    if way.junction:
        first, second = way.junction.constraints
        ours = ", ".join(column for _, column in way.junction.source_columns)
        theirs = ", ".join(column for column, _ in way.junction.target_columns)
        return f"{way.junction.table[1]} using {first}({ours}) and {second}({theirs})"
    ours = ", ".join(column for column, _ in way.columns)
    theirs = ", ".join(column for _, column in way.columns)
    return f"{way.constraint} using {way.source[1]}({ours}) and {way.target[1]}({theirs})"
