"""Finds the relationship between a table and an embed. More than one match is an error."""

from typing import Literal

from cairn.rest.catalog import Catalog, Name, Relationship
from cairn.rest.errors import AmbiguousRelationship, NoRelationship
from cairn.rest.grammar import Embed
from cairn.rest.plan.lookup import closest_name


def find_relationship(catalog: Catalog, parent: Name, embed: Embed) -> Relationship:
    candidates = [
        candidate
        for candidate in catalog.relationships.get(parent, ())
        if candidate.target[0] == parent[0] or candidate.function
    ]
    computed = [candidate for candidate in candidates if candidate.function and candidate.constraint == embed.relation]
    if computed:
        return computed[0]
    matches = [candidate for candidate in candidates if not candidate.function and _matches(candidate, embed)]
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise _no_relationship(candidates, parent, embed)
    raise _ambiguous_relationship(matches, parent, embed)


def _matches(relationship: Relationship, embed: Embed) -> bool:
    if relationship.source == relationship.target:
        return _matches_self_reference(relationship, embed)
    if relationship.target[1] == embed.relation:
        return embed.hint is None or _matches_hint(relationship, embed.hint)
    # The names of foreign keys and columns mean tables only. Otherwise a new view would make them ambiguous.
    return embed.hint is None and not relationship.target_is_view and _matches_key(relationship, embed.relation)


def _matches_self_reference(relationship: Relationship, embed: Embed) -> bool:
    """The name of the table means the rows that refer to this row; the column name means the row that it refers to."""
    if relationship.cardinality == "one-to-many":
        column = _only_column(relationship, side=1)
        return relationship.target[1] == embed.relation and embed.hint in (None, column)
    return embed.hint is None and relationship.to_one and _only_column(relationship) == embed.relation


def _matches_key(relationship: Relationship, name: str) -> bool:
    """Returns whether this is the name of the foreign key, or of its single column in the source."""
    return relationship.constraint == name or (relationship.to_one and _only_column(relationship) == name)


def _matches_hint(relationship: Relationship, hint: str) -> bool:
    if relationship.junction:
        return hint == relationship.junction.table[1]
    return hint in (relationship.constraint, _only_column(relationship), _only_column(relationship, side=1))


def _only_column(relationship: Relationship, *, side: Literal[0, 1] = 0) -> str | None:
    """Returns the column of the source (side 0) or of the target (side 1), if the foreign key has only one column."""
    return relationship.columns[0][side] if len(relationship.columns) == 1 else None


def _no_relationship(candidates: list[Relationship], parent: Name, embed: Embed) -> NoRelationship:
    similar = closest_name(embed.relation, {candidate.target[1] for candidate in candidates} - {embed.relation})
    with_hint = f" using the hint '{embed.hint}'" if embed.hint else ""
    return NoRelationship(
        parent=parent[1],
        child=embed.relation,
        details=(
            f"Searched for a foreign key relationship between '{parent[1]}' and '{embed.relation}'{with_hint} "
            f"in the schema '{parent[0]}', but no matches were found."
        ),
        hint=f"Perhaps you meant '{similar}' instead of '{embed.relation}'." if similar else None,
    )


def _ambiguous_relationship(matches: list[Relationship], parent: Name, embed: Embed) -> AmbiguousRelationship:
    choices = ", ".join(f"'{relationship.target[1]}!{_hint_for(relationship)}'" for relationship in matches)
    return AmbiguousRelationship(
        parent=parent[1],
        child=embed.relation,
        details=[
            {
                "cardinality": relationship.cardinality,
                "embedding": f"{relationship.source[1]} with {relationship.target[1]}",
                "relationship": _describe(relationship),
            }
            for relationship in matches
        ],
        hint=(
            f"Try changing '{embed.relation}' to one of the following: {choices}. "
            "Find the desired relationship in the 'details' key."
        ),
    )


def _hint_for(relationship: Relationship) -> str:
    return relationship.junction.table[1] if relationship.junction else relationship.constraint


def _describe(relationship: Relationship) -> str:
    if relationship.junction:
        first, second = relationship.junction.constraints
        source_columns = ", ".join(column for _, column in relationship.junction.source_columns)
        target_columns = ", ".join(column for column, _ in relationship.junction.target_columns)
        return f"{relationship.junction.table[1]} using {first}({source_columns}) and {second}({target_columns})"
    source_columns = ", ".join(column for column, _ in relationship.columns)
    target_columns = ", ".join(column for _, column in relationship.columns)
    source = f"{relationship.source[1]}({source_columns})"
    return f"{relationship.constraint} using {source} and {relationship.target[1]}({target_columns})"
