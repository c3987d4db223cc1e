import { describe, expect, inject, test } from "vitest";

import {
  uniqueEmail,
  CLIENTS,
  PASSWORD,
  serviceClient,
  signUp,
  anonymousClient,
  type Connect,
} from "./people";
import { followLink, latestEmail } from "./email";

const UNKNOWN_USER_ID = "5e1d5f9e-7d52-4a3c-8a54-3f0d6f3f9f10";

describe.each(CLIENTS)("administration, through the client %s", (_version, connect) => {
  const admin = () => serviceClient(connect as Connect).auth.admin;

  test("AUTH-26 an invitation and a generated link sign users in", async () => {
    const email = uniqueEmail("bea");
    const invitation = await admin().inviteUserByEmail(email, { data: { name: "Bea Lindt" } });
    await followLink((await latestEmail(connect, email)).link);
    const generatedLink = await admin().generateLink({ type: "magiclink", email });
    const target = await followLink(generatedLink.data.properties?.action_link ?? "");

    expect(invitation.data.user).toMatchObject({
      email: email.toLowerCase(),
      invited_at: expect.any(String),
    });
    expect(generatedLink.data.user?.id).toBe(invitation.data.user?.id);
    expect(generatedLink.data.properties).toMatchObject({
      verification_type: "magiclink",
      email_otp: expect.any(String),
    });
    expect(new URLSearchParams(target.hash.slice(1)).get("access_token")).toEqual(expect.any(String));
  });

  test("AUTH-27 users are created and listed by page", async () => {
    const userIds = [];
    for (const name of ["ana", "ben", "cyd"]) {
      const { data, error } = await admin().createUser({
        email: uniqueEmail(name),
        password: PASSWORD,
      });
      expect(error).toBeNull();
      userIds.push(data.user?.id);
    }

    const firstPage = await admin().listUsers({ page: 1, perPage: 2 });
    const secondPage = await admin().listUsers({ page: 2, perPage: 2 });
    const invalidPage = await admin().listUsers({ page: -1 });

    expect(firstPage.data.users.map((user) => user.id)).toEqual([userIds[2], userIds[1]]);
    expect(firstPage.data).toMatchObject({ nextPage: 2, total: expect.any(Number) });
    expect(secondPage.data.users[0]?.id).toBe(userIds[0]);
    expect(invalidPage.error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("AUTH-28 a user is read, updated, banned and deleted", async () => {
    const email = uniqueEmail("gil");
    const { data } = await admin().createUser({ email, password: PASSWORD, email_confirm: true });
    const id = data.user?.id ?? "";

    const lookup = await admin().getUserById(id);
    const update = await admin().updateUserById(id, {
      user_metadata: { boat: "red" },
      ban_duration: "24h",
    });
    const signInWhileBanned = await anonymousClient(connect).auth.signInWithPassword({
      email,
      password: PASSWORD,
    });
    await admin().updateUserById(id, { ban_duration: "none" });
    const signInAfterBan = await anonymousClient(connect).auth.signInWithPassword({
      email,
      password: PASSWORD,
    });
    const deletion = await admin().deleteUser(id);
    const lookupAfterDeletion = await admin().getUserById(id);

    expect(lookup.data.user).toMatchObject({
      email: email.toLowerCase(),
      email_confirmed_at: expect.any(String),
    });
    expect(update.data.user?.user_metadata).toEqual({ boat: "red" });
    expect(signInWhileBanned.error?.code).toBe("user_banned");
    expect(signInAfterBan.data.user?.id).toBe(id);
    expect(deletion.error).toBeNull();
    expect(lookupAfterDeletion.error).toMatchObject({ status: 404, code: "user_not_found" });
  });

  test("AUTH-29 neither the anonymous key nor a user may use the admin API", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { url, anon_key } = inject("keys");
    const listing = await anonymousClient(connect).auth.admin.listUsers();
    expect(listing.error).toMatchObject({ status: 403, code: "not_admin" });

    for (const token of [anon_key, rosa.token]) {
      for (const [method, path] of [
        ["POST", "invite"],
        ["POST", "admin/generate_link"],
        ["GET", "admin/users"],
        ["POST", "admin/users"],
        ["GET", `admin/users/${rosa.id}`],
        ["PUT", `admin/users/${rosa.id}`],
        ["DELETE", `admin/users/${rosa.id}`],
        ["DELETE", `admin/users/${UNKNOWN_USER_ID}`],
      ] as const) {
        const response = await fetch(`${url}/auth/v1/${path}`, {
          method,
          headers: { apikey: anon_key, Authorization: `Bearer ${token}` },
        });
        expect(response.status, `${method} ${path}`).toBe(403);
      }
    }
    expect((await rosa.client.auth.getUser()).data.user?.id).toBe(rosa.id);
  });
});
