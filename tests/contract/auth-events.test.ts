import { createServer, type Server } from "node:http";

import { afterEach, describe, expect, inject, test, vi } from "vitest";

import { openPage, BROWSER_CLIENTS, memoryStorage, type AuthOptions, MANUAL_REFRESH } from "./browser";
import { uniqueEmail, PASSWORD, signUp, anonymousClient, type Connect } from "./people";
import { followLink, latestEmail } from "./email";

afterEach(() => vi.unstubAllGlobals());

describe.each(BROWSER_CLIENTS)("events and errors, through the client %s", (_version, create) => {
  const { url, anon_key } = inject("keys");
  /** Creates a client that reads the session from the address of the page, as `openPage` has set it. */
  const createClientOfPage = (flowType: "implicit" | "pkce") =>
    create(url, anon_key, {
      ...MANUAL_REFRESH,
      detectSessionInUrl: true,
      flowType,
      storage: memoryStorage(),
    });
  const connect: Connect = (key) => create(url, key, { ...MANUAL_REFRESH, persistSession: false });

  test("AUTH-32 every change of the session triggers an event", async () => {
    const events: string[] = [];
    const client = create(url, anon_key, { ...MANUAL_REFRESH, storage: memoryStorage() });
    client.auth.onAuthStateChange((event) => void events.push(event));
    await vi.waitFor(() => expect(events).toEqual(["INITIAL_SESSION"]));
    const email = uniqueEmail("rosa");

    await client.auth.signUp({ email, password: PASSWORD });
    await client.auth.refreshSession();
    await client.auth.updateUser({ data: { boat: "red" } });
    await client.auth.signOut();
    await client.auth.resetPasswordForEmail(email);
    await client.auth.verifyOtp({
      token_hash: (await latestEmail(connect, email)).tokenHash,
      type: "recovery",
    });

    expect(events).toEqual([
      "INITIAL_SESSION",
      "SIGNED_IN",
      "TOKEN_REFRESHED",
      "USER_UPDATED",
      "SIGNED_OUT",
      "PASSWORD_RECOVERY",
    ]);
  });

  test("AUTH-32 an emailed recovery link triggers PASSWORD_RECOVERY in the implicit flow", async () => {
    const rosa = await signUp(connect, "Rosa");
    await anonymousClient(connect).auth.resetPasswordForEmail(rosa.email);
    openPage(await followLink((await latestEmail(connect, rosa.email)).link));
    const events: string[] = [];
    const client = createClientOfPage("implicit");

    client.auth.onAuthStateChange((event) => void events.push(event));

    await vi.waitFor(() => expect(events).toContain("PASSWORD_RECOVERY"));
    expect((await client.auth.updateUser({ password: "ten rapids before noon" })).error).toBeNull();
  });

  test("AUTH-11 AUTH-33 only the browser that requested a PKCE link can use it", async () => {
    const rosa = await signUp(connect, "Rosa");
    const storage = memoryStorage();
    const pkceOptions: AuthOptions = { ...MANUAL_REFRESH, flowType: "pkce", storage };
    const client = create(url, anon_key, pkceOptions);
    await client.auth.signInWithOtp({ email: rosa.email, options: { emailRedirectTo: `${url}/dashboard` } });
    const target = await followLink((await latestEmail(connect, rosa.email)).link);
    const code = target.searchParams.get("code") ?? "";
    expect(target.pathname).toBe("/dashboard");

    const otherBrowser = create(url, anon_key, { ...pkceOptions, storage: memoryStorage() });
    await otherBrowser.auth.signInWithOtp({ email: uniqueEmail("mallory") });
    const exchangeByOther = await otherBrowser.auth.exchangeCodeForSession(code);
    const ownExchange = await client.auth.exchangeCodeForSession(code);

    expect(exchangeByOther.error).toMatchObject({ status: 400, code: "bad_code_verifier" });
    expect(ownExchange.data.user?.id).toBe(rosa.id);
  });

  test("AUTH-33 a PKCE client reports an error when the redirect contains a session", async () => {
    const rosa = await signUp(connect, "Rosa");
    openPage(await followLink((await latestEmail(connect, rosa.email)).link));
    const client = createClientOfPage("pkce");

    const { error } = await client.auth.initialize();

    expect(error?.name).toBe("AuthPKCEGrantCodeExchangeError");
  });

  test("AUTH-33 a used link causes an implicit grant redirect error", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { link } = await latestEmail(connect, rosa.email);
    await followLink(link);
    openPage(await followLink(link));
    const client = createClientOfPage("implicit");

    const { error } = await client.auth.initialize();

    expect(error).toMatchObject({ name: "AuthImplicitGrantRedirectError" });
    expect(error?.message).toBe("Email link is invalid or has expired");
  });

  test("an emailed link signs in on the page it opens", async () => {
    const rosa = await signUp(connect, "Rosa");
    openPage(await followLink((await latestEmail(connect, rosa.email)).link));
    const client = createClientOfPage("implicit");

    await client.auth.initialize();
    const { data } = await client.auth.getSession();

    expect(data.session?.user.id).toBe(rosa.id);
  });

  test("AUTH-33 a missing session, a weak password and a malformed token are reported", async () => {
    const client = anonymousClient(connect);

    const missingSession = await client.auth.updateUser({ data: {} });
    const weakPassword = await client.auth.signUp({ email: uniqueEmail("rosa"), password: "password" });
    const malformedToken = await client.auth.getUser("not.a-token");

    expect(missingSession.error).toMatchObject({
      name: "AuthSessionMissingError",
      message: "Auth session missing!",
    });
    expect(weakPassword.error).toMatchObject({ name: "AuthWeakPasswordError", reasons: ["pwned"] });
    expect(malformedToken.error).toMatchObject({ status: 403, code: "bad_jwt" });
    expect(malformedToken.error?.message).toMatch(/^invalid JWT/);
  });

  test("AUTH-33 the claims of a token are accepted only with a valid signature", async () => {
    const { client, id, token } = await signUp(connect, "Rosa");
    const [header = "", claims = "", signature = ""] = token.split(".");
    const forgedClaims = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), role: "service_role" };
    const encodedClaims = Buffer.from(JSON.stringify(forgedClaims)).toString("base64url");

    const genuineToken = await client.auth.getClaims(token);
    const malformedToken = await client.auth.getClaims("not.a-token");
    const forgedToken = await client.auth.getClaims([header, encodedClaims, signature].join("."));

    expect(genuineToken.data?.claims).toMatchObject({ sub: id, role: "authenticated", aal: "aal1" });
    expect(malformedToken.error).toMatchObject({
      name: "AuthInvalidJwtError",
      message: "Invalid JWT structure",
    });
    expect(forgedToken.error).toMatchObject({
      name: "AuthInvalidJwtError",
      message: "Invalid JWT signature",
    });
  });

  test("AUTH-33 the error for an unavailable server is retryable", async () => {
    for (const status of [502, 503, 504, 0]) {
      const unavailableServer = await startServerWithStatus(status);
      const address = unavailableServer.address();
      if (address === null || typeof address === "string") throw new Error("The server has no port.");
      const { port } = address;
      // Status 0 means that the client cannot connect.
      if (status === 0) unavailableServer.close();

      const client = create(`http://127.0.0.1:${port}`, anon_key, {
        ...MANUAL_REFRESH,
        persistSession: false,
      });
      const { error } = await client.auth.signInWithPassword({
        email: uniqueEmail("rosa"),
        password: PASSWORD,
      });

      expect(error, `status ${status}`).toMatchObject({ name: "AuthRetryableFetchError", status });
      unavailableServer.close();
    }
  });
});

/** Starts a server that sends this status to every request. */
async function startServerWithStatus(status: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((_request, response) => response.writeHead(status).end());
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
