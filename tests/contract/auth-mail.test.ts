import { describe, expect, inject, test } from "vitest";

import { address, CLIENTS, PASSWORD, signUp, stranger, type Connect, type Person } from "./cast";
import { follow, letterTo } from "./mail";

const NEXT = "another walk by the river";

async function confirmed(using: Connect, name: string): Promise<Person> {
  const person = await signUp(using, name);
  await follow((await letterTo(using, person.email)).link);
  return person;
}

describe.each(CLIENTS)("proofs by mail, through the client %s", (_version, connect) => {
  test("AUTH-08 an account works at once and is confirmed by the mailed link", async () => {
    const rosa = await signUp(connect, "Rosa");
    const before = await rosa.client.auth.getUser();
    const letter = await letterTo(connect, rosa.email);

    const target = await follow(letter.link);

    const after = await rosa.client.auth.getUser();
    expect(before.data.user?.email_confirmed_at).toBeUndefined();
    expect(target.origin).toBe(inject("keys").url);
    expect(new URLSearchParams(target.hash.slice(1)).get("type")).toBe("signup");
    expect(after.data.user?.email_confirmed_at).toEqual(expect.any(String));
  });

  test("AUTH-15 AUTH-16 a code signs in once, a wrong or used one does not", async () => {
    const rosa = await signUp(connect, "Rosa");
    const client = stranger(connect);
    const { error } = await client.auth.signInWithOtp({
      email: rosa.email,
      options: { shouldCreateUser: false },
    });
    const { code } = await letterTo(connect, rosa.email);
    const wrong = code === "000000" ? "111111" : "000000";

    const refused = await client.auth.verifyOtp({ email: rosa.email, token: wrong, type: "email" });
    const right = await client.auth.verifyOtp({ email: rosa.email, token: code, type: "email" });
    const used = await client.auth.verifyOtp({ email: rosa.email, token: code, type: "email" });

    expect(error).toBeNull();
    expect(refused.error).toMatchObject({ status: 403, code: "otp_expired" });
    expect(right.data.user?.id).toBe(rosa.id);
    expect(right.data.session?.access_token).toEqual(expect.any(String));
    expect(used.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("AUTH-16 a mailed link is not used up by being opened, and then serves once", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { link } = await letterTo(connect, rosa.email);
    for (let scans = 0; scans < 3; scans++)
      expect((await fetch(link, { redirect: "manual" })).status).toBe(200);

    const session = new URLSearchParams((await follow(link)).hash.slice(1));
    const again = new URLSearchParams((await follow(link)).hash.slice(1));

    const client = stranger(connect);
    const { data } = await client.auth.setSession({
      access_token: session.get("access_token") ?? "",
      refresh_token: session.get("refresh_token") ?? "",
    });
    expect(data.user?.id).toBe(rosa.id);
    expect(again.get("error_code")).toBe("otp_expired");
  });

  test("AUTH-15 without an SMS gateway a phone gets a clear error", async () => {
    const { error } = await stranger(connect).auth.signInWithOtp({ phone: "+41791234567" });

    expect(error).toMatchObject({ status: 400, code: "phone_provider_disabled" });
    expect(error?.message).toMatch(/no SMS gateway/);
  });

  test("AUTH-18 a nonce by mail goes with a new password", async () => {
    const rosa = await confirmed(connect, "Rosa");
    const asked = await rosa.client.auth.reauthenticate();
    const { code } = await letterTo(connect, rosa.email);

    const wrong = await rosa.client.auth.updateUser({
      password: NEXT,
      nonce: code === "000000" ? "1" : "000000",
    });
    const right = await rosa.client.auth.updateUser({ password: NEXT, nonce: code });

    expect(asked.error).toBeNull();
    expect(wrong.error).toMatchObject({ status: 422, code: "reauthentication_not_valid" });
    expect(right.error).toBeNull();
    const { data } = await stranger(connect).auth.signInWithPassword({ email: rosa.email, password: NEXT });
    expect(data.user?.id).toBe(rosa.id);
  });

  test("AUTH-19 the sign-up mail and the change mail come again", async () => {
    const rosa = await signUp(connect, "Rosa");
    const first = await letterTo(connect, rosa.email);

    const again = await rosa.client.auth.resend({ type: "signup", email: rosa.email });
    const second = await letterTo(connect, rosa.email);
    await follow(second.link);
    const moved = address("rosa.moved");
    await rosa.client.auth.updateUser({ email: moved });
    const change = await letterTo(connect, moved);
    const resent = await rosa.client.auth.resend({ type: "email_change", email: rosa.email });
    const changeAgain = await letterTo(connect, moved);

    expect(again.error).toBeNull();
    expect(second.subject).toBe(first.subject);
    expect(second.link).not.toBe(first.link);
    expect(resent.error).toBeNull();
    expect(changeAgain.link).not.toBe(change.link);
  });

  test("an address changes when both ends agree", async () => {
    const rosa = await confirmed(connect, "Rosa");
    const moved = address("rosa.moved");
    const asked = await rosa.client.auth.updateUser({ email: moved });
    const [here, there] = [await letterTo(connect, rosa.email), await letterTo(connect, moved)];

    const half = await rosa.client.auth.verifyOtp({ token_hash: here.tokenHash, type: "email_change" });
    const whole = await rosa.client.auth.verifyOtp({ token_hash: there.tokenHash, type: "email_change" });

    expect(asked.data.user).toMatchObject({
      email: rosa.email.toLowerCase(),
      new_email: moved.toLowerCase(),
    });
    expect(half.data.session).toBeNull();
    expect(whole.data.user?.email).toBe(moved.toLowerCase());
  });

  test("AUTH-20 ROUTE-11 a forgotten password is replaced, and nobody learns who has an account", async () => {
    const rosa = await signUp(connect, "Rosa");
    const client = stranger(connect);

    const known = await client.auth.resetPasswordForEmail(rosa.email);
    const unknown = await client.auth.resetPasswordForEmail(address("nobody"));
    const { tokenHash } = await letterTo(connect, rosa.email);
    await client.auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
    const changed = await client.auth.updateUser({ password: NEXT });

    expect([known.error, unknown.error]).toEqual([null, null]);
    expect(changed.error).toBeNull();
    const old = await stranger(connect).auth.signInWithPassword({ email: rosa.email, password: PASSWORD });
    const fresh = await stranger(connect).auth.signInWithPassword({ email: rosa.email, password: NEXT });
    expect(old.error?.code).toBe("invalid_credentials");
    expect(fresh.data.user?.id).toBe(rosa.id);
  });
});
