from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from cairn.auth import store
from cairn.auth.errors import (
    IdentityAlreadyLinked,
    IdentityLinkedToAnotherUser,
    ProviderEmailUnverified,
    SessionBusy,
    SignInBanned,
    SignupDisabled,
)
from cairn.auth.federation.profile import Profile
from cairn.auth.model import Caller, Person, display_name
from cairn.auth.settings import AuthSettings
from cairn.db import Connection


@dataclass(frozen=True, slots=True)
class Becoming:
    """What somebody who is new here becomes."""

    role: str = "company"
    # Set: a colleague of those who are there; otherwise a company person founds one.
    company_id: UUID | None = None

    @property
    def metadata(self) -> dict[str, str]:
        return {"role": self.role} | ({"company_id": str(self.company_id)} if self.company_id else {})


async def arrive(
    conn: Connection, settings: AuthSettings, profile: Profile, *, becomes: Becoming, caller: Caller, now: datetime
) -> Person:
    """Into the account that knows this identity, else the one with the same verified address, else a new one."""
    await store.lock_names(conn, f"{profile.provider} {profile.subject}", f"email {profile.email}")
    owner = await store.identity_owner(conn, profile.provider, profile.subject)
    if owner is None:
        namesake = await store.person_by_email(conn, profile.email) if profile.email else None
        if namesake is not None:
            await _join(conn, namesake, profile, caller, now)
        else:
            await _welcome(conn, settings, profile, becomes=becomes, caller=caller, now=now)
    await store.update_identity(conn, profile.provider, profile.subject, profile.data, now=now)
    owner = await store.identity_owner(conn, profile.provider, profile.subject)
    assert owner is not None
    person = await store.person_by_id(conn, owner)
    assert person is not None
    if person.is_banned(now):
        raise SignInBanned
    await store.add_audit_entry(conn, "login", person.id, caller, method=profile.provider)
    return person


async def link(conn: Connection, person: Person, profile: Profile, caller: Caller, now: datetime) -> Person:
    """By hand: someone signed in here has just signed in there. An anonymous person becomes a permanent one."""
    await store.lock_names(conn, f"{profile.provider} {profile.subject}", f"email {profile.email}")
    owner = await store.identity_owner(conn, profile.provider, profile.subject)
    if owner == person.id:
        raise IdentityAlreadyLinked
    if owner is not None:
        raise IdentityLinkedToAnotherUser
    await store.add_identity(conn, person.id, profile.provider, profile.subject, profile.data, now=now)
    if person.is_anonymous:
        await store.make_permanent(conn, person.id, profile.email if profile.email_verified else None, now)
    await store.add_audit_entry(conn, "identity_linked", person.id, caller, provider=profile.provider)
    linked = await store.person_by_id(conn, person.id)
    assert linked is not None
    return linked


async def _join(conn: Connection, namesake: Person, profile: Profile, caller: Caller, now: datetime) -> None:
    if not profile.email_verified:
        raise ProviderEmailUnverified(email=profile.email, provider=profile.provider)
    if namesake.email_confirmed_at is None:
        # Anyone could have signed up with this address and waited for its owner to come by another way.
        await store.hand_over_account(conn, namesake.id, now)
        await store.add_audit_entry(conn, "account_handed_over", namesake.id, caller, provider=profile.provider)
    await store.add_identity(conn, namesake.id, profile.provider, profile.subject, profile.data, now=now)
    await store.add_audit_entry(conn, "identity_linked", namesake.id, caller, provider=profile.provider)


async def _welcome(
    conn: Connection, settings: AuthSettings, profile: Profile, *, becomes: Becoming, caller: Caller, now: datetime
) -> None:
    if settings.disable_signup:
        raise SignupDisabled
    user_id = await store.add_federated_person(
        conn,
        email=profile.email,
        confirmed_at=now if profile.email_verified else None,
        app_metadata=becomes.metadata | {"provider": profile.provider, "providers": [profile.provider]},
        user_metadata={**profile.data, "name": display_name(_named(profile), profile.email or "Someone")},
    )
    if user_id is None:
        raise SessionBusy
    await store.add_identity(conn, user_id, profile.provider, profile.subject, profile.data, now=now)
    await store.add_audit_entry(conn, "user_signedup", user_id, caller, provider=profile.provider)


def _named(profile: Profile) -> dict[str, str]:
    """A name that is too long for us is cut; somebody else chose it."""
    name = profile.data.get("name")
    return {"name": name[:200]} if name else {}
