import { vi } from "vitest";
import { queryClient } from "~/lib/query-client";

/** The fake server records each request with these fields. */
export type RecordedRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
};

type FakeResponse = {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  wait?: Promise<unknown>;
};
type FakeResponses = Record<string, FakeResponse | ((request: RecordedRequest) => FakeResponse)>;

const HEALTH_CHECK = "/auth/v1/health";
/** Most tests run without an SMS gateway and without limits for emails. */
const DEFAULT_RESPONSES: FakeResponses = {
  "POST /functions/v1/text-messages": { body: { offered: false } },
  "POST /functions/v1/mail-allowance": {
    body: { perDay: null, sentToday: 0, needsConfirmedAddress: false },
  },
};

/**
 * Replaces `fetch` with the given responses. Returns a list to which the received requests are added. Health
 * checks and requests with a default response are added only if the test has given a response for them.
 */
export function serve(responses: FakeResponses): RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    // A health check may come from an earlier test, so it is recorded only if the test has a response for it.
    if (pathname === HEALTH_CHECK && !(`GET ${HEALTH_CHECK}` in responses)) return new Response();
    const defaultResponse = DEFAULT_RESPONSES[`${request.method} ${pathname}`];
    if (typeof defaultResponse === "object" && !(`${request.method} ${pathname}` in responses))
      return respond(defaultResponse);
    const text = await request.text();
    const recordedRequest = {
      method: request.method,
      path: pathname,
      query: searchParams,
      body: parseBody(text, request.headers),
      headers: request.headers,
    };
    requests.push(recordedRequest);
    const entry = responses[`${request.method} ${pathname}`];
    const response = typeof entry === "function" ? entry(recordedRequest) : entry;
    await response?.wait;
    return respond(response ?? { status: 404, body: { message: `nothing at ${pathname}`, code: "none" } });
  });
  return requests;
}

function parseBody(text: string, headers: Headers): unknown {
  if (!text) return null;
  return headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
}

function respond({ status = 200, body, headers = {} }: FakeResponse): Response {
  if (body instanceof Uint8Array) return new Response(Uint8Array.from(body), { status, headers });
  const text = body === undefined ? null : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

/** Creates an error of the auth service. The client reads its code only if the response has an API version. */
export const authError = (status: number, code: string, message: string, details: object = {}) => ({
  status,
  body: { code, message, ...details },
  headers: { "x-supabase-api-version": "2024-01-01" },
});

/** Creates a response that waits until the test calls `respond`. */
export function deferredResponse(): { wait: Promise<void>; respond: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, respond: resolve };
}

export const ROSA = { id: "11111111-1111-4111-8111-111111111111", email: "rosa@example.com" };
export const GIL = { id: "22222222-2222-4222-8222-222222222222", email: "gil@example.com" };

/** Creates a session as the server returns it. `userFields` are added to its user. */
export function sessionOf(user: { id: string; email: string }, userFields: object = {}, aal = "aal1") {
  return {
    access_token: tokenOf({ sub: user.id, aal }),
    refresh_token: "refresh",
    token_type: "bearer",
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    user: {
      ...user,
      aud: "authenticated",
      app_metadata: {},
      email_confirmed_at: "2026-01-01T00:00:00Z",
      user_metadata: {},
      created_at: "2026-01-01T00:00:00Z",
      ...userFields,
    },
  };
}

/** The client checks that a token has three parts, but not its signature. */
function tokenOf(claims: object): string {
  return [{ alg: "ES256", typ: "JWT" }, { exp: FAR_FUTURE, ...claims }, {}].map(base64Url).join(".");
}

const FAR_FUTURE = 4_102_444_800;

function base64Url(part: object): string {
  return btoa(JSON.stringify(part)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Stores a session in the browser, as if the user had signed in earlier. */
export function signInAs(user: { id: string; email: string }, userFields: object = {}, aal = "aal1"): void {
  localStorage.setItem("sb-cairn-auth-token", JSON.stringify(sessionOf(user, userFields, aal)));
}

/** With these responses, the account of Rosa or Gil can be loaded. */
export const accounts = {
  rosa: {
    "GET /rest/v1/profiles": { body: [profile(ROSA, "company", "Rosa Marín")] },
    "GET /rest/v1/companies": { body: [{ id: "c1", name: "Rio Rafting" }] },
  },
  gil: {
    "GET /rest/v1/profiles": { body: [profile(GIL, "customer", "Gil Moreau")] },
    "GET /rest/v1/companies": { body: [] },
  },
} satisfies Record<string, FakeResponses>;

function profile(user: { id: string; email: string }, role: string, name: string) {
  const company_id = role === "company" ? "c1" : null;
  return { ...user, role, name, bio: "", company_id, created_at: "2026-01-01T00:00:00Z" };
}

/** Removes the stubs of a test and everything that its queries have fetched. */
export function resetServer(): void {
  vi.unstubAllGlobals();
  // If a request left over from this test failed, the app would find the server unreachable in the next test.
  vi.stubGlobal("fetch", async () => new Response());
  queryClient.clear();
}
