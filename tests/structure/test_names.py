"""Files are named after the product, and each idea has one word."""

import re

from tests.structure.tree import ROOT, files, name, text

# Names so general that anything could be put there.
TOO_GENERAL = {"base", "common", "core", "helper", "helpers", "manager", "misc", "process", "service", "util", "utils"}
# Synonyms of a word in the glossary. Strings on the wire may contain them.
SYNONYMS = {"tenant": "company", "organization": "company", "envelope": "session", "participant_id": "signer"}


def test_no_file_or_folder_has_a_name_that_is_too_general() -> None:
    named = {name(path): [part.split(".")[0] for part in path.relative_to(ROOT).parts] for path in files("*.py")}

    assert [path for path, parts in named.items() if not TOO_GENERAL.isdisjoint(parts)] == []


def test_each_idea_has_one_word() -> None:
    word = re.compile(rf"^\s*(?:async )?(?:def|class) \w*({'|'.join(SYNONYMS)})", re.MULTILINE | re.IGNORECASE)
    used = {name(path): match[1] for path in files("*.py") if (match := word.search(text(path)))}

    assert used == {}


def test_the_glossary_explains_the_domain_terms() -> None:
    explained = set(re.findall(r"^\| \*\*([\w -]+)\*\*", text(ROOT / "docs" / "glossary.md"), re.MULTILINE))
    terms = "template session recipient signer waiver company guest principal email event package layer service problem"

    assert set(terms.split()) <= explained
