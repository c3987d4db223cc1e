from cairn.auth import limits, store
from cairn.auth.constant_time import in_constant_time
from cairn.auth.context import AuthContext
from cairn.auth.email_links.send import mail
from cairn.auth.model import EmailLinkRequest


async def recover(context: AuthContext, email: str, ask: EmailLinkRequest) -> None:
    """Whether anybody has this address is told to that address alone."""
    await limits.mail_to(context, "recovery", email)
    async with in_constant_time(), context.mailing() as conn:
        person = await store.person_by_email(conn, email)
        if person is not None:
            await mail(context, conn, person, "recovery", to=email, ask=ask)
