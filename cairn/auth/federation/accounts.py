"""Finds or creates the account for a profile from another provider."""

from datetime import datetime
from uuid import UUID

from cairn.auth import store
from cairn.auth.errors import (
    IdentityAlreadyLinked,
    IdentityLinkedToAnotherUser,
    LinkingNeedsAal2,
    LinkingNeedsRecentSignIn,
    ProviderEmailUnverified,
    SessionBusy,
    SignInBanned,
    SignupDisabled,
)
from cairn.auth.federation.profile import Profile
from cairn.auth.hand_over import hand_over_to_federated_person
from cairn.auth.model import MAX_NAME_LENGTH, Caller, User, display_name
from cairn.auth.sessions import current_user
from cairn.auth.settings import AuthSettings
from cairn.db import Connection, Principal
from cairn.kit import frozen_dataclass


@frozen_dataclass
class NewAccount:
    """The role and company for an account that may have to be created."""

    role: str = "company"
    # The user joins this company. If it is None, a user with the role `company` gets a new company.
    company_id: UUID | None = None

    @property
    def metadata(self) -> dict[str, str]:
        return {"role": self.role} | ({"company_id": str(self.company_id)} if self.company_id else {})


async def find_or_create_account(
    conn: Connection, settings: AuthSettings, profile: Profile, *, account: NewAccount, caller: Caller, now: datetime
) -> User:
    """Returns the account with this identity, or else with the same verified address, or else a new account."""
    await store.lock_names(conn, f"{profile.provider} {profile.subject}", f"email {profile.email}")
    owner_id = await store.identity_owner(conn, profile.provider, profile.subject)
    if owner_id is None:
        existing_user = await store.user_by_email(conn, profile.email) if profile.email else None
        if existing_user is not None:
            await _link_to_existing_user(conn, existing_user, profile, caller, now)
        else:
            await _create_account(conn, settings, profile, account=account, caller=caller, now=now)
    await store.update_identity(conn, profile.provider, profile.subject, profile.data, now=now)
    owner_id = await store.identity_owner(conn, profile.provider, profile.subject)
    assert owner_id is not None
    user = await store.user_by_id(conn, owner_id)
    assert user is not None
    if user.is_banned(now):
        raise SignInBanned
    await store.add_audit_entry(conn, "login", user.id, caller, method=profile.provider)
    return user


async def user_who_may_link(conn: Connection, principal: Principal) -> User:
    """Returns the signed-in user. Refuses an old session, because a thief could link an identity to sign in later."""
    current = await current_user(conn, principal)
    if current.needs_second_factor:
        raise LinkingNeedsAal2
    if current.needs_reauthentication:
        raise LinkingNeedsRecentSignIn
    return current.user


async def link_identity(conn: Connection, user: User, profile: Profile, caller: Caller, now: datetime) -> User:
    """Adds the identity to the account of a signed-in user. An anonymous user becomes a permanent one."""
    await store.lock_names(conn, f"{profile.provider} {profile.subject}", f"email {profile.email}")
    owner_id = await store.identity_owner(conn, profile.provider, profile.subject)
    if owner_id == user.id:
        raise IdentityAlreadyLinked
    if owner_id is not None or await _has_other_account(conn, user, profile):
        raise IdentityLinkedToAnotherUser
    await store.add_identity(conn, user.id, profile.provider, profile.subject, profile.data, now=now)
    if user.is_anonymous:
        await store.make_permanent(conn, user.id, profile.email if profile.email_verified else None, now)
    await store.add_audit_entry(conn, "identity_linked", user.id, caller, provider=profile.provider)
    linked_user = await store.user_by_id(conn, user.id)
    assert linked_user is not None
    return linked_user


async def _has_other_account(conn: Connection, user: User, profile: Profile) -> bool:
    """Returns whether another account has confirmed the address of the profile.

    The owner of that account may have been lured into linking their identity to the account of a stranger.
    """
    owner = await store.user_by_email(conn, profile.email) if profile.email else None
    return owner is not None and owner.id != user.id and owner.email_confirmed_at is not None


async def _link_to_existing_user(
    conn: Connection, existing_user: User, profile: Profile, caller: Caller, now: datetime
) -> None:
    if not profile.email_verified:
        raise ProviderEmailUnverified(email=profile.email, provider=profile.provider)
    if existing_user.email_confirmed_at is None:
        await hand_over_to_federated_person(conn, existing_user, provider=profile.provider, caller=caller, now=now)
    await store.add_identity(conn, existing_user.id, profile.provider, profile.subject, profile.data, now=now)
    await store.add_audit_entry(conn, "identity_linked", existing_user.id, caller, provider=profile.provider)


async def _create_account(
    conn: Connection, settings: AuthSettings, profile: Profile, *, account: NewAccount, caller: Caller, now: datetime
) -> None:
    if settings.disable_signup:
        raise SignupDisabled
    user_id = await store.add_federated_user(
        conn,
        email=profile.email,
        confirmed_at=now if profile.email_verified else None,
        app_metadata=account.metadata | {"provider": profile.provider, "providers": [profile.provider]},
        user_metadata={**profile.data, "name": display_name(_name_metadata(profile), profile.email or "Someone")},
    )
    if user_id is None:
        # A sign-up with a password has just created an account with this address. The user can try again.
        raise SessionBusy
    await store.add_identity(conn, user_id, profile.provider, profile.subject, profile.data, now=now)
    await store.add_audit_entry(conn, "user_signedup", user_id, caller, provider=profile.provider)


def _name_metadata(profile: Profile) -> dict[str, str]:
    """Truncates a long name. It is not rejected, because the provider sent it and the user cannot change it here."""
    name = profile.data.get("name")
    return {"name": name[:MAX_NAME_LENGTH]} if name else {}
