"""The email that invites a guest to sign, as the send dialog writes it when the company adds no message of its own.

A company whose address is not confirmed can send only this text. The dialog composes it with `composeEmail` in
web/app/features/sending/model.ts, which greets the guest by the same rules as `greeting`.
"""

import re
from dataclasses import replace
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.messaging import greeting, neutral_name, without_links
from cairn.translations import text
from cairn.waivers.neutral_names import HAS_SAMPLE_NAME, neutral_template_name
from cairn.waivers.text_invitation import signing_link

_SUBJECT = text("Please sign: {template_name} Waiver")
_SENTENCE = text('Please read and sign the waiver "{template_name}" before your activity. You can do it on any device:')
_CLOSING = text("You do not need an account.")


@frozen_dataclass
class Invitation:
    session_id: UUID
    template_name: str
    recipient_name: str | None
    has_sample_name: bool = False

    def with_neutral_names(self) -> "Invitation":
        return replace(
            self,
            template_name=neutral_template_name(self.template_name, is_sample_name=self.has_sample_name),
            recipient_name=neutral_name(self.recipient_name or "", ""),
        )

    def with_recipient(self, name: str | None) -> "Invitation":
        return replace(self, recipient_name=name)

    @property
    def subject(self) -> str:
        return _SUBJECT.format(template_name=without_links(self.template_name))

    def body(self, link: str) -> str:
        return self._body(greeting(self.recipient_name), link)

    def earlier_body(self, link: str, unnamed: str = "") -> str:
        """Returns the text that the dialog wrote until version 0.1 of Cairn. Such an email may be sent again."""
        return self._body(f"Hello {without_links(self.recipient_name or unnamed)},", link)

    def _body(self, greeting: str, link: str) -> str:
        request = _SENTENCE.format(template_name=without_links(self.template_name))
        return "\n\n".join([greeting, request, link, str(_CLOSING)])


async def invitation(connection: Connection, session_id: UUID) -> Invitation:
    row = await connection.fetchrow(
        f"""
        select s.id as session_id, s.template_name, s.recipient_name, {HAS_SAMPLE_NAME} as has_sample_name
          from waivers.sessions s
         where s.id = $1
        """,
        session_id,
    )
    assert row is not None, "the caller has checked that the session exists"
    return Invitation(**row)


def standard_email(invited: Invitation, site_url: str, subject: str, body: str) -> tuple[str, str] | None:
    """Returns our own subject and body with neutral names, or None if the given subject and body are not our own text.

    The given text contains the names of the session, or neutral names if it was sent before. Its link is not compared
    but replaced, because it may name this server differently than the settings do.
    """
    any_link = re.compile(rf"^https?://\S+/waivers/sign/session/{invited.session_id}$", re.MULTILINE)
    placeholder = "(link)"
    # Links in the names are broken up in our own text, so they are broken up in the given text as well.
    given_text = (without_links(subject), without_links(any_link.sub(placeholder, body)))
    neutral = invited.with_neutral_names()
    own_texts = [(own.subject, own.body(placeholder)) for own in (invited, neutral)]
    own_texts += [(invited.subject, invited.earlier_body(placeholder))]
    own_texts += [(neutral.subject, neutral.earlier_body(placeholder, unnamed="guest"))]
    if given_text not in [(own_subject, without_links(own_body)) for own_subject, own_body in own_texts]:
        return None
    return neutral.subject, neutral.body(signing_link(site_url, invited.session_id))
