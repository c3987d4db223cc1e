"""Finds the relationship between a table and an embed. More than one match is an error."""

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
    return _matches_name(relationship, embed.relation) and _matches_hint(relationship, embed.hint)


def _matches_name(relationship: Relationship, name: str) -> bool:
    """Returns whether this is the name of the target table, of the foreign key, or of its single column."""
    if relationship.target[1] == name:
        return True
    # In a self-reference, the names of the foreign key and of its column mean the to-one direction.
    if relationship.source == relationship.target and relationship.cardinality == "one-to-many":
        return False
    columns = [column for column, _ in relationship.columns]
    return relationship.constraint == name or (relationship.to_one and columns == [name])


def _matches_hint(relationship: Relationship, hint: str | None) -> bool:
    if hint is None:
        return True
    if relationship.junction:
        return hint == relationship.junction.table[1]
    if relationship.source == relationship.target:
        # In a self-reference, the column name selects the to-one direction, and the constraint name the to-many one.
        return hint == (relationship.columns[0][0] if relationship.to_one else relationship.constraint)
    columns = {name for pair in relationship.columns for name in pair} if len(relationship.columns) == 1 else set()
    return hint == relationship.constraint or hint in columns


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
