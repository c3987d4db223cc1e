import { describe, expect, inject, test } from "vitest";

import { uniqueEmail, CLIENTS, PASSWORD, signUp, anonymousClient, type Connect, type Person } from "./people";
import { followLink, latestEmail } from "./email";

const NEW_PASSWORD = "another walk by the river";

async function signUpAndConfirm(connect: Connect, name: string): Promise<Person> {
  const person = await signUp(connect, name);
  await followLink((await latestEmail(connect, person.email)).link);
  return person;
}

describe.each(CLIENTS)("emailed links and codes, through the client %s", (_version, connect) => {
  test("AUTH-08 an account works immediately and is confirmed by the emailed link", async () => {
    const rosa = await signUp(connect, "Rosa");
    const userBefore = await rosa.client.auth.getUser();
    const email = await latestEmail(connect, rosa.email);

    const target = await followLink(email.link);

    const userAfter = await rosa.client.auth.getUser();
    expect(userBefore.data.user?.email_confirmed_at).toBeUndefined();
    expect(target.origin).toBe(inject("keys").url);
    expect(new URLSearchParams(target.hash.slice(1)).get("type")).toBe("signup");
    expect(userAfter.data.user?.email_confirmed_at).toEqual(expect.any(String));
  });

  test("AUTH-15 AUTH-16 a code signs in once; a wrong or used code is rejected", async () => {
    const rosa = await signUp(connect, "Rosa");
    const client = anonymousClient(connect);
    const { error } = await client.auth.signInWithOtp({
      email: rosa.email,
      options: { shouldCreateUser: false },
    });
    const { code } = await latestEmail(connect, rosa.email);
    const wrongCode = code === "000000" ? "111111" : "000000";

    const wrongAttempt = await client.auth.verifyOtp({ email: rosa.email, token: wrongCode, type: "email" });
    const firstUse = await client.auth.verifyOtp({ email: rosa.email, token: code, type: "email" });
    const secondUse = await client.auth.verifyOtp({ email: rosa.email, token: code, type: "email" });

    expect(error).toBeNull();
    expect(wrongAttempt.error).toMatchObject({ status: 403, code: "otp_expired" });
    expect(firstUse.data.user?.id).toBe(rosa.id);
    expect(firstUse.data.session?.access_token).toEqual(expect.any(String));
    expect(secondUse.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("AUTH-16 opening an emailed link changes nothing, and its button works once", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { link } = await latestEmail(connect, rosa.email);
    for (let scans = 0; scans < 3; scans++)
      expect((await fetch(link, { redirect: "manual" })).status).toBe(200);

    const firstUse = new URLSearchParams((await followLink(link)).hash.slice(1));
    const secondUse = new URLSearchParams((await followLink(link)).hash.slice(1));

    const client = anonymousClient(connect);
    const { data } = await client.auth.setSession({
      access_token: firstUse.get("access_token") ?? "",
      refresh_token: firstUse.get("refresh_token") ?? "",
    });
    expect(data.user?.id).toBe(rosa.id);
    expect(secondUse.get("error_code")).toBe("otp_expired");
  });

  test("AUTH-15 signing in by phone without an SMS gateway is an error", async () => {
    const { error } = await anonymousClient(connect).auth.signInWithOtp({ phone: "+41791234567" });

    expect(error).toMatchObject({ status: 400, code: "phone_provider_disabled" });
    expect(error?.message).toMatch(/no SMS gateway/);
  });

  test("AUTH-18 a new password requires the emailed nonce", async () => {
    const rosa = await signUpAndConfirm(connect, "Rosa");
    const nonceRequest = await rosa.client.auth.reauthenticate();
    const { code } = await latestEmail(connect, rosa.email);

    const wrongNonce = await rosa.client.auth.updateUser({
      password: NEW_PASSWORD,
      nonce: code === "000000" ? "1" : "000000",
    });
    const rightNonce = await rosa.client.auth.updateUser({ password: NEW_PASSWORD, nonce: code });

    expect(nonceRequest.error).toBeNull();
    expect(wrongNonce.error).toMatchObject({ status: 422, code: "reauthentication_not_valid" });
    expect(rightNonce.error).toBeNull();
    const { data } = await anonymousClient(connect).auth.signInWithPassword({
      email: rosa.email,
      password: NEW_PASSWORD,
    });
    expect(data.user?.id).toBe(rosa.id);
  });

  test("AUTH-19 the emails that confirm a sign-up and a new address can be sent again", async () => {
    const rosa = await signUp(connect, "Rosa");
    const signUpEmail = await latestEmail(connect, rosa.email);

    const signUpResend = await rosa.client.auth.resend({ type: "signup", email: rosa.email });
    const secondSignUpEmail = await latestEmail(connect, rosa.email);
    await followLink(secondSignUpEmail.link);
    const newAddress = uniqueEmail("rosa.moved");
    await rosa.client.auth.updateUser({ email: newAddress });
    const changeEmail = await latestEmail(connect, newAddress);
    const changeResend = await rosa.client.auth.resend({ type: "email_change", email: rosa.email });
    const secondChangeEmail = await latestEmail(connect, newAddress);

    expect(signUpResend.error).toBeNull();
    expect(secondSignUpEmail.subject).toBe(signUpEmail.subject);
    expect(secondSignUpEmail.link).not.toBe(signUpEmail.link);
    expect(changeResend.error).toBeNull();
    expect(secondChangeEmail.link).not.toBe(changeEmail.link);
  });

  test("an email address changes after both the old and the new address are confirmed", async () => {
    const rosa = await signUpAndConfirm(connect, "Rosa");
    const newAddress = uniqueEmail("rosa.moved");
    const changeRequest = await rosa.client.auth.updateUser({ email: newAddress });
    const [oldEmail, newEmail] = [
      await latestEmail(connect, rosa.email),
      await latestEmail(connect, newAddress),
    ];

    const firstConfirmation = await rosa.client.auth.verifyOtp({
      token_hash: oldEmail.tokenHash,
      type: "email_change",
    });
    const secondConfirmation = await rosa.client.auth.verifyOtp({
      token_hash: newEmail.tokenHash,
      type: "email_change",
    });

    expect(changeRequest.data.user).toMatchObject({
      email: rosa.email.toLowerCase(),
      new_email: newAddress.toLowerCase(),
    });
    expect(firstConfirmation.data.session).toBeNull();
    expect(secondConfirmation.data.user?.email).toBe(newAddress.toLowerCase());
  });

  test("AUTH-20 ROUTE-11 a forgotten password is replaced, without revealing who has an account", async () => {
    const rosa = await signUp(connect, "Rosa");
    const client = anonymousClient(connect);

    const knownAddress = await client.auth.resetPasswordForEmail(rosa.email);
    const unknownAddress = await client.auth.resetPasswordForEmail(uniqueEmail("unknown"));
    const { tokenHash } = await latestEmail(connect, rosa.email);
    await client.auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
    const passwordChange = await client.auth.updateUser({ password: NEW_PASSWORD });

    expect([knownAddress.error, unknownAddress.error]).toEqual([null, null]);
    expect(passwordChange.error).toBeNull();
    const oldPassword = await anonymousClient(connect).auth.signInWithPassword({
      email: rosa.email,
      password: PASSWORD,
    });
    const newPassword = await anonymousClient(connect).auth.signInWithPassword({
      email: rosa.email,
      password: NEW_PASSWORD,
    });
    expect(oldPassword.error?.code).toBe("invalid_credentials");
    expect(newPassword.data.user?.id).toBe(rosa.id);
  });
});
