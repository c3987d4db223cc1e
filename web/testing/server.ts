import { vi } from "vitest";
import { queryClient } from "~/lib/query-client";

/** One request as the server saw it. */
export type RecordedRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
};

type Answer = { status?: number; body?: unknown; headers?: Record<string, string>; wait?: Promise<unknown> };
type Answers = Record<string, Answer | ((request: RecordedRequest) => Answer)>;

const HEALTH = "/auth/v1/health";
const TEXTING = "/functions/v1/text-messages";

/** Stands where the network is: the clients are the real ones, and what they ask is written down. */
export function serve(answers: Answers): RecordedRequest[] {
  const seen: RecordedRequest[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    // Asked by whoever doubts the network, perhaps since an earlier story; not part of this one unless it says so.
    if (pathname === HEALTH && !(`GET ${HEALTH}` in answers)) return new Response();
    // Most stories play where there is no SMS gateway.
    if (pathname === TEXTING && !(`POST ${TEXTING}` in answers)) return respond({ body: { offered: false } });
    const text = await request.text();
    const asked = {
      method: request.method,
      path: pathname,
      query: searchParams,
      body: bodyOf(text, request.headers),
      headers: request.headers,
    };
    seen.push(asked);
    const found = answers[`${request.method} ${pathname}`];
    const answer = typeof found === "function" ? found(asked) : found;
    await answer?.wait;
    return respond(answer ?? { status: 404, body: { message: `nothing at ${pathname}`, code: "none" } });
  });
  return seen;
}

function bodyOf(text: string, headers: Headers): unknown {
  if (!text) return null;
  return headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
}

function respond({ status = 200, body, headers = {} }: Answer): Response {
  if (body instanceof Uint8Array) return new Response(Uint8Array.from(body), { status, headers });
  const text = body === undefined ? null : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

/** An answer the test gives when it has seen enough of the waiting. */
export function deferredResponse(): { wait: Promise<void>; respond: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, respond: resolve };
}

export const ROSA = { id: "11111111-1111-4111-8111-111111111111", email: "rosa@example.com" };
export const GIL = { id: "22222222-2222-4222-8222-222222222222", email: "gil@example.com" };

/** `facts` are added to the user, as the server would tell them. */
export function sessionOf(person: { id: string; email: string }, facts: object = {}, aal = "aal1") {
  return {
    access_token: tokenOf({ sub: person.id, aal }),
    refresh_token: "refresh",
    token_type: "bearer",
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    user: {
      ...person,
      aud: "authenticated",
      app_metadata: {},
      email_confirmed_at: "2026-01-01T00:00:00Z",
      user_metadata: {},
      created_at: "2026-01-01T00:00:00Z",
      ...facts,
    },
  };
}

/** Nobody here checks the signature; that there are three parts, the client does. */
function tokenOf(claims: object): string {
  return [{ alg: "ES256", typ: "JWT" }, { exp: FAR_OFF, ...claims }, {}].map(encoded).join(".");
}

const FAR_OFF = 4_102_444_800;

function encoded(part: object): string {
  return btoa(JSON.stringify(part)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The browser holds a session, as after a sign-in yesterday. */
export function signInAs(person: { id: string; email: string }, facts: object = {}, aal = "aal1"): void {
  localStorage.setItem("sb-cairn-auth-token", JSON.stringify(sessionOf(person, facts, aal)));
}

export const accounts = {
  rosa: {
    "GET /rest/v1/profiles": { body: [profile(ROSA, "company", "Rosa Marín")] },
    "GET /rest/v1/companies": { body: [{ id: "c1", name: "Rio Rafting" }] },
  },
  gil: {
    "GET /rest/v1/profiles": { body: [profile(GIL, "customer", "Gil Moreau")] },
    "GET /rest/v1/companies": { body: [] },
  },
} satisfies Record<string, Answers>;

function profile(person: { id: string; email: string }, role: string, name: string) {
  const company_id = role === "company" ? "c1" : null;
  return { ...person, role, name, bio: "", company_id, created_at: "2026-01-01T00:00:00Z" };
}

export function resetServer(): void {
  vi.unstubAllGlobals();
  // A request that nobody answered in its own story is doubted in the next.
  vi.stubGlobal("fetch", async () => new Response());
  queryClient.clear();
}
