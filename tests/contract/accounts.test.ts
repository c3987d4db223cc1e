import { describe, expect, inject, test } from "vitest";

import { uniqueEmail, CLIENTS, PASSWORD, signUp, anonymousClient } from "./people";

describe.each(CLIENTS)("accounts, through the client %s", (_version, connect) => {
  test("AUTH-01 AUTH-02 AUTH-13 AUTHUI-17 signing up also signs in", async () => {
    const client = anonymousClient(connect);
    const email = uniqueEmail("Rosa");

    const { data, error } = await client.auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { name: "Rosa Marín", role: "company" } },
    });

    expect(error).toBeNull();
    expect(data.user?.email).toBe(email.toLowerCase());
    expect(data.session).toMatchObject({
      token_type: "bearer",
      expires_in: 3600,
      refresh_token: expect.any(String),
    });
    const { data: profile } = await client.from("profiles").select("role, name").single();
    expect(profile).toEqual({ role: "company", name: "Rosa Marín" });
  });

  test("AUTH-09 AUTH-33 a wrong password and an unknown address get the same response", async () => {
    const rosa = await signUp(connect, "Rosa");
    const client = anonymousClient(connect);

    const wrongPassword = await client.auth.signInWithPassword({
      email: rosa.email,
      password: "not the password",
    });
    const unknownAddress = await client.auth.signInWithPassword({
      email: uniqueEmail("unknown"),
      password: PASSWORD,
    });
    const rightPassword = await client.auth.signInWithPassword({ email: rosa.email, password: PASSWORD });

    for (const { error } of [wrongPassword, unknownAddress]) {
      expect(error).toMatchObject({
        status: 400,
        code: "invalid_credentials",
        message: "Invalid login credentials",
      });
    }
    expect(rightPassword.data.user?.id).toBe(rosa.id);
  });

  test("AUTH-05 a weak password is rejected with reasons", async () => {
    const { error } = await anonymousClient(connect).auth.signUp({
      email: uniqueEmail("rosa"),
      password: "short",
    });

    expect(error).toMatchObject({ name: "AuthWeakPasswordError", status: 422, code: "weak_password" });
    expect(error).toHaveProperty("reasons", ["length"]);
  });

  test("AUTH-10 AUTH-21 AUTH-22 a session is refreshed, used and ended", async () => {
    const rosa = await signUp(connect, "Rosa");

    const refresh = await rosa.client.auth.refreshSession();
    const { data } = await rosa.client.auth.getUser();
    await rosa.client.auth.signOut();
    const { error } = await rosa.client.auth.getUser(refresh.data.session?.access_token);

    expect(refresh.error).toBeNull();
    expect(data.user?.id).toBe(rosa.id);
    expect(error?.name).toBe("AuthSessionMissingError");
  });

  test("AUTH-03 ROUTE-37 users cannot change their own role", async () => {
    const gil = await signUp(connect, "Gil", "customer");

    await gil.client.auth.updateUser({ data: { role: "company" } });
    await gil.client.from("profiles").update({ role: "company" }).eq("id", gil.id);

    const { data } = await gil.client.from("profiles").select("role").single();
    expect(data?.role).toBe("customer");
  });

  test("AUTH-25 the published keys verify the access token", async () => {
    const { url } = inject("keys");
    const rosa = await signUp(connect, "Rosa");
    const [header = "", claims = "", tokenSignature = ""] = rosa.token.split(".");
    const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
    const { keys } = await fetch(`${url}/auth/v1/.well-known/jwks.json`).then((response) => response.json());
    const jwk = keys.find((key: { kid: string }) => key.kid === kid);

    const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    const isVerified = await crypto.subtle.verify(
      algorithm,
      key,
      Buffer.from(tokenSignature, "base64url"),
      Buffer.from(`${header}.${claims}`),
    );

    expect(isVerified).toBe(true);
  });
});
