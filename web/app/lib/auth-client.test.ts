import { webcrypto } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { createAuthClient, type AuthClient } from "./auth-client";
import { SESSION_KEY, storedSession } from "./stored-session";

/** The app checks the connection after this time without a response. No request of these tests takes that long. */
const CONNECTION_CHECK_MS = 4_000;

let client: AuthClient | undefined;

afterEach(async () => {
  await client?.stopAutoRefresh();
  vi.useRealTimers();
});

test("AUTH-34 the client of the app checks its session every 30 s, and refreshes it when at most 90 s remain", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  signInAs(ROSA);
  const requests = serve({
    "POST /auth/v1/token": () => ({ body: { ...sessionOf(ROSA), refresh_token: "second" } }),
  });
  const expiresAt = (storedSession()?.expires_at ?? 0) * 1_000;
  client = createAuthClient(SESSION_KEY);
  await client.initialize();
  const refreshes = () => requests.filter(({ path }) => path === "/auth/v1/token");

  vi.setSystemTime(expiresAt - 155_000);
  // At this check 125 s remain.
  await vi.advanceTimersByTimeAsync(30_000);
  await letRequestsEnd();
  expect(refreshes()).toEqual([]);
  vi.setSystemTime(expiresAt - 120_000);
  await vi.advanceTimersByTimeAsync(29_999);
  await letRequestsEnd();
  expect(refreshes()).toEqual([]);
  // At this check 90 s remain.
  await vi.advanceTimersByTimeAsync(1);

  await vi.waitFor(() => expect(refreshes()).toHaveLength(1));
  expect(refreshes()[0]?.query.get("grant_type")).toBe("refresh_token");
  await vi.waitFor(() => expect(localStorage.getItem(SESSION_KEY)).toContain('"refresh_token":"second"'));
});

test("AUTH-35 the client of the app retries a refresh within 30 s, with delays that double from 200 ms", async () => {
  signInAs(ROSA);
  const requests = serve({ "POST /auth/v1/token": { status: 503, body: {} } });
  const delays = skipDelays();
  client = createAuthClient(SESSION_KEY);

  const { error } = await client.refreshSession();

  expect(error).toMatchObject({ name: "AuthRetryableFetchError", status: 503 });
  expect(delays).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800]);
  expect(requests.filter(({ path }) => path === "/auth/v1/token")).toHaveLength(delays.length + 1);
  expect(storedSession()?.user.id).toBe(ROSA.id);
});

test("AUTH-36 the client of the app caches the key set for 10 minutes", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // jsdom cannot verify the signature of a token.
  vi.stubGlobal("crypto", webcrypto);
  const { token, publicKey } = await signedToken({ sub: ROSA.id, exp: Date.now() / 1_000 + 3_600 });
  const requests = serve({ "GET /auth/v1/.well-known/jwks.json": { body: { keys: [publicKey] } } });
  const claimsClient = createAuthClient("sb-cairn-claims");
  client = claimsClient;
  const start = Date.now();
  const requestsAfter = async (minutes: number) => {
    vi.setSystemTime(start + minutes * 60_000);
    const { data, error } = await claimsClient.getClaims(token);
    expect(error).toBeNull();
    expect(data?.claims.sub).toBe(ROSA.id);
    return requests.length;
  };

  expect(await requestsAfter(0)).toBe(1);
  expect(await requestsAfter(9.9)).toBe(1);
  expect(await requestsAfter(10.1)).toBe(2);
});

const letRequestsEnd = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Makes timers fire immediately: records each delay and moves the clock forward by it. */
function skipDelays(): number[] {
  const delays: number[] = [];
  const originalSetTimeout = globalThis.setTimeout;
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("setTimeout", (callback: () => void, milliseconds = 0) => {
    if (milliseconds === 0 || milliseconds === CONNECTION_CHECK_MS)
      return originalSetTimeout(callback, milliseconds);
    delays.push(milliseconds);
    vi.setSystemTime(Date.now() + milliseconds);
    return originalSetTimeout(callback, 0);
  });
  return delays;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

async function signedToken(claims: object) {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const content = `${encode({ alg: "ES256", typ: "JWT", kid: "key-1" })}.${encode(claims)}`;
  const signature = await webcrypto.subtle.sign(algorithm, keys.privateKey, Buffer.from(content));
  const { kty, crv, x, y } = await webcrypto.subtle.exportKey("jwk", keys.publicKey);
  return {
    token: `${content}.${Buffer.from(signature).toString("base64url")}`,
    publicKey: { kty, crv, x, y, kid: "key-1", alg: "ES256", use: "sig", key_ops: ["verify"] },
  };
}
