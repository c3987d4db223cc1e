"""Files are named after the product, and each idea has one word."""

import re

from tests.structure.tree import ROOT, read_source, relative_name, source_files

# These names do not say what belongs in a file.
TOO_GENERAL = {"base", "common", "core", "helper", "helpers", "manager", "misc", "process", "service", "util", "utils"}
# Maps each synonym to the word of the glossary to use instead in the names of functions and classes.
SYNONYMS = {"tenant": "company", "organization": "company", "envelope": "session", "participant_id": "signer"}


def test_no_file_or_folder_has_a_name_that_is_too_general() -> None:
    name_parts = {
        relative_name(path): [part.split(".")[0] for part in path.relative_to(ROOT).parts]
        for path in source_files("*.py")
    }

    assert [path for path, parts in name_parts.items() if not TOO_GENERAL.isdisjoint(parts)] == []


def test_each_idea_has_one_word() -> None:
    synonym = re.compile(rf"^\s*(?:async )?(?:def|class) \w*({'|'.join(SYNONYMS)})", re.MULTILINE | re.IGNORECASE)
    synonyms_used = {
        relative_name(path): match[1] for path in source_files("*.py") if (match := synonym.search(read_source(path)))
    }

    assert synonyms_used == {}


def test_the_glossary_explains_the_domain_terms() -> None:
    explained_terms = set(
        re.findall(r"^\| \*\*([\w -]+)\*\*", read_source(ROOT / "docs" / "glossary.md"), re.MULTILINE)
    )
    terms = "template session recipient signer waiver company guest principal email event package layer service problem"

    assert set(terms.split()) <= explained_terms
