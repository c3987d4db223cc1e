import { describe, expect, inject, test } from "vitest";

import { uniqueEmail, CLIENTS, PASSWORD, signUp, anonymousClient, type Connect, type Person } from "./cast";
import { followLink, latestEmail } from "./email";

const NEW_PASSWORD = "another walk by the river";

async function signUpConfirmed(connect: Connect, name: string): Promise<Person> {
  const person = await signUp(connect, name);
  await followLink((await latestEmail(connect, person.email)).link);
  return person;
}

describe.each(CLIENTS)("emailed links and codes, through the client %s", (_version, connect) => {
  test("AUTH-08 an account works immediately and is confirmed by the emailed link", async () => {
    const rosa = await signUp(connect, "Rosa");
    const before = await rosa.client.auth.getUser();
    const email = await latestEmail(connect, rosa.email);

    const target = await followLink(email.link);

    const after = await rosa.client.auth.getUser();
    expect(before.data.user?.email_confirmed_at).toBeUndefined();
    expect(target.origin).toBe(inject("keys").url);
    expect(new URLSearchParams(target.hash.slice(1)).get("type")).toBe("signup");
    expect(after.data.user?.email_confirmed_at).toEqual(expect.any(String));
  });

  test("AUTH-15 AUTH-16 a code signs in once; a wrong or used code is rejected", async () => {
    const rosa = await signUp(connect, "Rosa");
    const client = anonymousClient(connect);
    const { error } = await client.auth.signInWithOtp({
      email: rosa.email,
      options: { shouldCreateUser: false },
    });
    const { code } = await latestEmail(connect, rosa.email);
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

  test("AUTH-16 opening an emailed link does not use it up, and it works once", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { link } = await latestEmail(connect, rosa.email);
    for (let scans = 0; scans < 3; scans++)
      expect((await fetch(link, { redirect: "manual" })).status).toBe(200);

    const session = new URLSearchParams((await followLink(link)).hash.slice(1));
    const again = new URLSearchParams((await followLink(link)).hash.slice(1));

    const client = anonymousClient(connect);
    const { data } = await client.auth.setSession({
      access_token: session.get("access_token") ?? "",
      refresh_token: session.get("refresh_token") ?? "",
    });
    expect(data.user?.id).toBe(rosa.id);
    expect(again.get("error_code")).toBe("otp_expired");
  });

  test("AUTH-15 signing in by phone without an SMS gateway is an error", async () => {
    const { error } = await anonymousClient(connect).auth.signInWithOtp({ phone: "+41791234567" });

    expect(error).toMatchObject({ status: 400, code: "phone_provider_disabled" });
    expect(error?.message).toMatch(/no SMS gateway/);
  });

  test("AUTH-18 a new password requires the emailed nonce", async () => {
    const rosa = await signUpConfirmed(connect, "Rosa");
    const requested = await rosa.client.auth.reauthenticate();
    const { code } = await latestEmail(connect, rosa.email);

    const wrong = await rosa.client.auth.updateUser({
      password: NEW_PASSWORD,
      nonce: code === "000000" ? "1" : "000000",
    });
    const right = await rosa.client.auth.updateUser({ password: NEW_PASSWORD, nonce: code });

    expect(requested.error).toBeNull();
    expect(wrong.error).toMatchObject({ status: 422, code: "reauthentication_not_valid" });
    expect(right.error).toBeNull();
    const { data } = await anonymousClient(connect).auth.signInWithPassword({
      email: rosa.email,
      password: NEW_PASSWORD,
    });
    expect(data.user?.id).toBe(rosa.id);
  });

  test("AUTH-19 the sign-up email and the change email can be sent again", async () => {
    const rosa = await signUp(connect, "Rosa");
    const first = await latestEmail(connect, rosa.email);

    const again = await rosa.client.auth.resend({ type: "signup", email: rosa.email });
    const second = await latestEmail(connect, rosa.email);
    await followLink(second.link);
    const moved = uniqueEmail("rosa.moved");
    await rosa.client.auth.updateUser({ email: moved });
    const change = await latestEmail(connect, moved);
    const resent = await rosa.client.auth.resend({ type: "email_change", email: rosa.email });
    const changeAgain = await latestEmail(connect, moved);

    expect(again.error).toBeNull();
    expect(second.subject).toBe(first.subject);
    expect(second.link).not.toBe(first.link);
    expect(resent.error).toBeNull();
    expect(changeAgain.link).not.toBe(change.link);
  });

  test("an email address changes when both addresses have confirmed", async () => {
    const rosa = await signUpConfirmed(connect, "Rosa");
    const moved = uniqueEmail("rosa.moved");
    const requested = await rosa.client.auth.updateUser({ email: moved });
    const [oldEmail, newEmail] = [await latestEmail(connect, rosa.email), await latestEmail(connect, moved)];

    const half = await rosa.client.auth.verifyOtp({ token_hash: oldEmail.tokenHash, type: "email_change" });
    const whole = await rosa.client.auth.verifyOtp({ token_hash: newEmail.tokenHash, type: "email_change" });

    expect(requested.data.user).toMatchObject({
      email: rosa.email.toLowerCase(),
      new_email: moved.toLowerCase(),
    });
    expect(half.data.session).toBeNull();
    expect(whole.data.user?.email).toBe(moved.toLowerCase());
  });

  test("AUTH-20 ROUTE-11 a forgotten password is replaced, without revealing who has an account", async () => {
    const rosa = await signUp(connect, "Rosa");
    const client = anonymousClient(connect);

    const known = await client.auth.resetPasswordForEmail(rosa.email);
    const unknown = await client.auth.resetPasswordForEmail(uniqueEmail("unknown"));
    const { tokenHash } = await latestEmail(connect, rosa.email);
    await client.auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
    const changed = await client.auth.updateUser({ password: NEW_PASSWORD });

    expect([known.error, unknown.error]).toEqual([null, null]);
    expect(changed.error).toBeNull();
    const old = await anonymousClient(connect).auth.signInWithPassword({
      email: rosa.email,
      password: PASSWORD,
    });
    const fresh = await anonymousClient(connect).auth.signInWithPassword({
      email: rosa.email,
      password: NEW_PASSWORD,
    });
    expect(old.error?.code).toBe("invalid_credentials");
    expect(fresh.data.user?.id).toBe(rosa.id);
  });
});
