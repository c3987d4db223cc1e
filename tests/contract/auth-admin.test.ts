import { describe, expect, inject, test } from "vitest";

import { address, CLIENTS, PASSWORD, service, signUp, stranger, type Connect } from "./cast";
import { follow, letterTo } from "./mail";

const NOBODY = "5e1d5f9e-7d52-4a3c-8a54-3f0d6f3f9f10";

describe.each(CLIENTS)("administration, through the client %s", (_version, connect) => {
  const admin = () => service(connect as Connect).auth.admin;

  test("AUTH-26 an invitation and a generated link let people in", async () => {
    const email = address("bea");
    const invited = await admin().inviteUserByEmail(email, { data: { name: "Bea Lindt" } });
    await follow((await letterTo(connect, email)).link);
    const generated = await admin().generateLink({ type: "magiclink", email });
    const target = await follow(generated.data.properties?.action_link ?? "");

    expect(invited.data.user).toMatchObject({ email: email.toLowerCase(), invited_at: expect.any(String) });
    expect(generated.data.user?.id).toBe(invited.data.user?.id);
    expect(generated.data.properties).toMatchObject({
      verification_type: "magiclink",
      email_otp: expect.any(String),
    });
    expect(new URLSearchParams(target.hash.slice(1)).get("access_token")).toEqual(expect.any(String));
  });

  test("AUTH-27 people are made and listed by pages", async () => {
    const made = [];
    for (const name of ["ana", "ben", "cyd"]) {
      const { data, error } = await admin().createUser({ email: address(name), password: PASSWORD });
      expect(error).toBeNull();
      made.push(data.user?.id);
    }

    const first = await admin().listUsers({ page: 1, perPage: 2 });
    const second = await admin().listUsers({ page: 2, perPage: 2 });
    const wrong = await admin().listUsers({ page: -1 });

    expect(first.data.users.map((user) => user.id)).toEqual([made[2], made[1]]);
    expect(first.data).toMatchObject({ nextPage: 2, total: expect.any(Number) });
    expect(second.data.users[0]?.id).toBe(made[0]);
    expect(wrong.error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("AUTH-28 a person is read, changed, banned and deleted", async () => {
    const email = address("gil");
    const { data } = await admin().createUser({ email, password: PASSWORD, email_confirm: true });
    const id = data.user?.id ?? "";

    const read = await admin().getUserById(id);
    const changed = await admin().updateUserById(id, { user_metadata: { boat: "red" }, ban_duration: "24h" });
    const banned = await stranger(connect).auth.signInWithPassword({ email, password: PASSWORD });
    await admin().updateUserById(id, { ban_duration: "none" });
    const free = await stranger(connect).auth.signInWithPassword({ email, password: PASSWORD });
    const deleted = await admin().deleteUser(id);
    const gone = await admin().getUserById(id);

    expect(read.data.user).toMatchObject({
      email: email.toLowerCase(),
      email_confirmed_at: expect.any(String),
    });
    expect(changed.data.user?.user_metadata).toEqual({ boat: "red" });
    expect(banned.error?.code).toBe("user_banned");
    expect(free.data.user?.id).toBe(id);
    expect(deleted.error).toBeNull();
    expect(gone.error).toMatchObject({ status: 404, code: "user_not_found" });
  });

  test("AUTH-29 neither the anonymous key nor a person administers", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { url, anon_key } = inject("keys");
    const refused = await stranger(connect).auth.admin.listUsers();
    expect(refused.error).toMatchObject({ status: 403, code: "not_admin" });

    for (const token of [anon_key, rosa.token]) {
      for (const [method, path] of [
        ["POST", "invite"],
        ["POST", "admin/generate_link"],
        ["GET", "admin/users"],
        ["POST", "admin/users"],
        ["GET", `admin/users/${rosa.id}`],
        ["PUT", `admin/users/${rosa.id}`],
        ["DELETE", `admin/users/${rosa.id}`],
        ["DELETE", `admin/users/${NOBODY}`],
      ] as const) {
        const answer = await fetch(`${url}/auth/v1/${path}`, {
          method,
          headers: { apikey: anon_key, Authorization: `Bearer ${token}` },
        });
        expect(answer.status, `${method} ${path}`).toBe(403);
      }
    }
    expect((await rosa.client.auth.getUser()).data.user?.id).toBe(rosa.id);
  });
});
