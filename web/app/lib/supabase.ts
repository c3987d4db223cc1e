import type { AuthClient } from "@supabase/auth-js";
import type { RealtimeClient } from "@supabase/realtime-js";
import type { Client } from "./client";

/**
 * The parts of supabase-js, each fetched when it is first needed: tables and functions for the first view, accounts
 * and the open line after it. A visitor who only looks at a page waits for none of them.
 */
export type { Client };
export type Auth = InstanceType<typeof AuthClient>;

let client: Promise<Client> | undefined;
let authClient: Promise<Auth> | undefined;
let line: Promise<RealtimeClient> | undefined;

/** Tables and functions, as whoever is signed in. */
export function connect(): Promise<Client> {
  client ??= import("./client").then(({ createClient }) =>
    createClient(window.location.origin, anonKey(), accessToken),
  );
  return client;
}

/** Signing in and out, and keeping the session fresh. */
export function auth(): Promise<Auth> {
  authClient ??= import("./auth-client").then(({ createAuth }) =>
    createAuth(window.location.origin, anonKey(), SESSION_KEY),
  );
  return authClient;
}

/** The line on which the server tells what changed. */
export function openLine(): Promise<RealtimeClient> {
  line ??= Promise.all([auth(), import("./live-client")]).then(([people, { createLine }]) =>
    createLine(window.location.origin, anonKey(), accessToken, people),
  );
  return line;
}

const SESSION_KEY = "sb-cairn-auth-token";

/** Says only that it is worth asking; whether the session is good, and whose it is, the server tells. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(SESSION_KEY) !== null;
}

/** Whose session the browser holds. Reading as someone else gets nothing: the token, not this, is what the server asks. */
export async function signedInId(): Promise<string | null> {
  const session = await currentSession();
  return session?.user.id ?? null;
}

async function accessToken(): Promise<string> {
  const session = await currentSession();
  return session?.access_token ?? anonKey();
}

/** A session that lives long enough is used as it lies; only renewing it needs the auth client. */
async function currentSession(): Promise<StoredSession | null> {
  const stored = localStorage.getItem(SESSION_KEY);
  if (stored === null) return null;
  const fresh = freshSession(stored, Date.now());
  if (fresh) return fresh;
  const { data } = await (await auth()).getSession();
  return data.session;
}

type StoredSession = { access_token: string; user: { id: string } };

const MARGIN = 90_000;

export function freshSession(stored: string, now: number): StoredSession | null {
  const session = parse(stored);
  return session && session.expires_at * 1000 - now > MARGIN ? session : null;
}

function parse(stored: string): (StoredSession & { expires_at: number }) | null {
  try {
    const { access_token, expires_at, user } = JSON.parse(stored);
    const isWhole =
      typeof access_token === "string" && typeof expires_at === "number" && typeof user?.id === "string";
    return isWhole ? { access_token, expires_at, user } : null;
  } catch {
    return null;
  }
}

function anonKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
}
