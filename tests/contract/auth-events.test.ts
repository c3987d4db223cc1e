import { createServer, type Server } from "node:http";

import { afterEach, describe, expect, inject, test, vi } from "vitest";

import { arriveAt, BROWSERS, memory, type Options } from "./browser";
import { address, PASSWORD, signUp, stranger, type Connect } from "./cast";
import { follow, letterTo } from "./mail";

afterEach(() => vi.unstubAllGlobals());

describe.each(BROWSERS)("events and errors, through the client %s", (_version, create) => {
  const { url, anon_key } = inject("keys");
  const quiet: Options = { autoRefreshToken: false, persistSession: true, detectSessionInUrl: false };
  const connect: Connect = (key) => create(url, key, { ...quiet, persistSession: false });

  test("AUTH-32 every act on a session is an event", async () => {
    const events: string[] = [];
    const client = create(url, anon_key, { ...quiet, storage: memory() });
    client.auth.onAuthStateChange((event) => void events.push(event));
    await vi.waitFor(() => expect(events).toEqual(["INITIAL_SESSION"]));
    const email = address("rosa");

    await client.auth.signUp({ email, password: PASSWORD });
    await client.auth.refreshSession();
    await client.auth.updateUser({ data: { boat: "red" } });
    await client.auth.signOut();
    await client.auth.resetPasswordForEmail(email);
    await client.auth.verifyOtp({ token_hash: (await letterTo(connect, email)).tokenHash, type: "recovery" });

    expect(events).toEqual([
      "INITIAL_SESSION",
      "SIGNED_IN",
      "TOKEN_REFRESHED",
      "USER_UPDATED",
      "SIGNED_OUT",
      "PASSWORD_RECOVERY",
    ]);
  });

  test("AUTH-32 a mailed recovery link is a recovery to the page it leads to, in the implicit form too", async () => {
    const rosa = await signUp(connect, "Rosa");
    await stranger(connect).auth.resetPasswordForEmail(rosa.email);
    arriveAt(await follow((await letterTo(connect, rosa.email)).link));
    const events: string[] = [];
    const client = create(url, anon_key, {
      ...quiet,
      detectSessionInUrl: true,
      flowType: "implicit",
      storage: memory(),
    });

    client.auth.onAuthStateChange((event) => void events.push(event));

    await vi.waitFor(() => expect(events).toContain("PASSWORD_RECOVERY"));
    expect((await client.auth.updateUser({ password: "ten rapids before noon" })).error).toBeNull();
  });

  test("AUTH-11 AUTH-33 only the browser that asked can follow a PKCE link", async () => {
    const rosa = await signUp(connect, "Rosa");
    const storage = memory();
    const pkce: Options = { ...quiet, flowType: "pkce", storage };
    const client = create(url, anon_key, pkce);
    await client.auth.signInWithOtp({ email: rosa.email, options: { emailRedirectTo: `${url}/dashboard` } });
    const target = await follow((await letterTo(connect, rosa.email)).link);
    const code = target.searchParams.get("code") ?? "";
    expect(target.pathname).toBe("/dashboard");

    const elsewhere = create(url, anon_key, { ...pkce, storage: memory() });
    await elsewhere.auth.signInWithOtp({ email: address("mallory") });
    const stolen = await elsewhere.auth.exchangeCodeForSession(code);
    const own = await client.auth.exchangeCodeForSession(code);

    expect(stolen.error).toMatchObject({ status: 400, code: "bad_code_verifier" });
    expect(own.data.user?.id).toBe(rosa.id);
  });

  test("AUTH-33 a page that expects a code and finds a session says so", async () => {
    const rosa = await signUp(connect, "Rosa");
    arriveAt(await follow((await letterTo(connect, rosa.email)).link));
    const client = create(url, anon_key, {
      ...quiet,
      detectSessionInUrl: true,
      flowType: "pkce",
      storage: memory(),
    });

    const { error } = await client.auth.initialize();

    expect(error?.name).toBe("AuthPKCEGrantCodeExchangeError");
  });

  test("AUTH-33 a link that no longer works is an implicit grant redirect error", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { link } = await letterTo(connect, rosa.email);
    await follow(link);
    arriveAt(await follow(link));
    const client = create(url, anon_key, {
      ...quiet,
      detectSessionInUrl: true,
      flowType: "implicit",
      storage: memory(),
    });

    const { error } = await client.auth.initialize();

    expect(error).toMatchObject({ name: "AuthImplicitGrantRedirectError" });
    expect(error?.message).toBe("Email link is invalid or has expired");
  });

  test("a mailed link signs in the page it leads to", async () => {
    const rosa = await signUp(connect, "Rosa");
    arriveAt(await follow((await letterTo(connect, rosa.email)).link));
    const client = create(url, anon_key, {
      ...quiet,
      detectSessionInUrl: true,
      flowType: "implicit",
      storage: memory(),
    });

    await client.auth.initialize();
    const { data } = await client.auth.getSession();

    expect(data.session?.user.id).toBe(rosa.id);
  });

  test("AUTH-33 without a session, with a weak password, with a token that is none", async () => {
    const client = stranger(connect);

    const missing = await client.auth.updateUser({ data: {} });
    const weak = await client.auth.signUp({ email: address("rosa"), password: "password" });
    const malformed = await client.auth.getUser("not.a-token");

    expect(missing.error).toMatchObject({
      name: "AuthSessionMissingError",
      message: "Auth session missing!",
    });
    expect(weak.error).toMatchObject({ name: "AuthWeakPasswordError", reasons: ["pwned"] });
    expect(malformed.error).toMatchObject({ status: 403, code: "bad_jwt" });
    expect(malformed.error?.message).toMatch(/^invalid JWT/);
  });

  test("AUTH-33 what a token says is believed only if it was signed here", async () => {
    const { client, id, token } = await signUp(connect, "Rosa");
    const [header = "", claims = "", signature = ""] = token.split(".");
    const promoted = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), role: "service_role" };
    const forged = Buffer.from(JSON.stringify(promoted)).toString("base64url");

    const genuine = await client.auth.getClaims(token);
    const malformed = await client.auth.getClaims("not.a-token");
    const changed = await client.auth.getClaims([header, forged, signature].join("."));

    expect(genuine.data?.claims).toMatchObject({ sub: id, role: "authenticated", aal: "aal1" });
    expect(malformed.error).toMatchObject({
      name: "AuthInvalidJwtError",
      message: "Invalid JWT structure",
    });
    expect(changed.error).toMatchObject({ name: "AuthInvalidJwtError", message: "Invalid JWT signature" });
  });

  test("AUTH-33 a server that is away for now may be asked again", async () => {
    for (const status of [502, 503, 504, 0]) {
      const away = await answeringAlways(status);
      const place = away.address();
      if (place === null || typeof place === "string") throw new Error("it listens on a port");
      const { port } = place;
      if (status === 0) away.close();

      const client = create(`http://127.0.0.1:${port}`, anon_key, { ...quiet, persistSession: false });
      const { error } = await client.auth.signInWithPassword({ email: address("rosa"), password: PASSWORD });

      expect(error, `status ${status}`).toMatchObject({ name: "AuthRetryableFetchError", status });
      away.close();
    }
  });
});

async function answeringAlways(status: number): Promise<Server> {
  return new Promise((ready) => {
    const server = createServer((_request, response) => response.writeHead(status).end());
    server.listen(0, "127.0.0.1", () => ready(server));
  });
}
