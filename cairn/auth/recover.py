from cairn.auth import limits, store
from cairn.auth.ask import Ask
from cairn.auth.desk import Desk
from cairn.auth.even import evenly
from cairn.auth.mail import mail


async def recover(desk: Desk, email: str, ask: Ask) -> None:
    """Whether anybody has this address is told to that address alone."""
    await limits.mail_to(desk, "recovery", email)
    async with evenly(), desk.mailing() as conn:
        person = await store.person_by_email(conn, email)
        if person is not None:
            await mail(desk, conn, person, "recovery", to=email, ask=ask)
