"""18L4: large documents are linked in the copy for the signer, so that silent mail endpoints do not fill the memory.

18L4 is a finding in docs/security.md.
"""

import pytest

from cairn.db import Connection, Database
from cairn.waivers import DocumentContext
from tests.abuse.test_template_names import queued_copy
from tests.factories import make_session, sign
from tests.people import Person

GUEST_EMAIL = "gil@example.com"


@pytest.mark.parametrize(("size", "attachment_type"), [(2_000_000, "pdf"), (2_000_001, "link"), (None, "pdf")])
async def test_18l4_a_document_above_two_megabytes_is_linked_and_not_attached(
    database: Database,
    admin: Connection,
    mailing_documents: DocumentContext,
    rosa: Person,
    size: int | None,
    attachment_type: str,
) -> None:
    """Without a size, the document was made by an older version."""
    waiver = await sign(database, await make_session(database, rosa, email=GUEST_EMAIL), signer_email=GUEST_EMAIL)
    attach = "select waivers.store_document($1, 'gil.pdf', repeat('a', 64), 'c', $2)"
    assert await admin.fetchval(attach, waiver["id"], size)

    email = await queued_copy(database, mailing_documents, waiver["id"])

    assert email["attachment_type"] == attachment_type
    assert ("The signed document is attached." in email["body"]) is (attachment_type == "pdf")
    assert "/documents/" in email["body"], "the link opens it in any case"
