import type { AuthClient } from "@supabase/auth-js";
import type { RealtimeClient } from "@supabase/realtime-js";
import { broughtAlong, takeArrival, type Arrival } from "./arrival";
import { rememberRecovery } from "./browser-cache";
import type { Client } from "./client";
import { unreached } from "./reach";
import { RequestFailed } from "./request";
import { freshSession, isHalfway, SESSION_KEY, storedSession, type StoredSession } from "./stored-session";

/**
 * The parts of supabase-js, each fetched when it is first needed: tables and functions for the first view, accounts
 * and the open line after it. A visitor who only looks at a page waits for none of them.
 */
export type { Client };
export type Auth = InstanceType<typeof AuthClient>;

let client: Promise<Client> | undefined;
let authClient: Promise<Auth> | undefined;
let tripClient: Promise<Auth> | undefined;
let line: Promise<RealtimeClient> | undefined;

/** Tables and functions, as whoever is signed in. */
export function connect(): Promise<Client> {
  client ??= import("./client").then(({ createClient }) =>
    createClient(window.location.origin, anonKey(), accessToken),
  );
  return client;
}

/** Signing in and out, and keeping the session fresh. A session that the address brought is in place first. */
export async function auth(): Promise<Auth> {
  await entered();
  return people();
}

function people(): Promise<Auth> {
  authClient ??= import("./auth-client").then(({ createAuth }) =>
    createAuth(window.location.origin, anonKey(), SESSION_KEY),
  );
  return authClient;
}

/** Signing in elsewhere: one leaves with it, and only it can use what one brings back. */
export function traveller(): Promise<Auth> {
  tripClient ??= import("./auth-client").then(({ createTraveller }) =>
    createTraveller(window.location.origin, anonKey()),
  );
  return tripClient;
}

export type Outcome = { brought: Arrival; failure: Error | null };

let entering: Promise<void> = Promise.resolve();
let isEntering = false;
let news: Outcome | null = null;

/** Whatever the address brought is dealt with before anybody asks who is signed in. */
function entered(): Promise<void> {
  const brought = takeArrival();
  if (brought) {
    isEntering = isEntry(brought);
    entering = letIn(brought).then((failure) => {
      isEntering = false;
      news = { brought, failure };
    });
  }
  return entering;
}

/** What became of it, for whoever tells the person; null when there is nothing, or when it was told. */
export async function takeNews(): Promise<Outcome | null> {
  await entered();
  const told = news;
  news = null;
  return told;
}

const isEntry = (brought: Arrival | null): boolean => brought?.kind === "session" || brought?.kind === "code";

async function letIn(brought: Arrival): Promise<Error | null> {
  if (!isEntry(brought)) return null;
  try {
    const { enter } = await import("./auth-client");
    const failure = await enter(brought, await people(), traveller);
    if (!failure && brought.kind === "session" && brought.from === "recovery") rememberRecovery();
    return failure;
  } catch (error) {
    return error instanceof Error ? error : new Error("The session could not be opened.");
  }
}

/** The line on which the server tells what changed. */
export function openLine(): Promise<RealtimeClient> {
  line ??= Promise.all([auth(), import("./live-client")]).then(([account, { createLine }]) =>
    createLine(window.location.origin, anonKey(), accessToken, account),
  );
  return line;
}

/** What the service can do and the client has no method for: posts a body, or gets when there is none. */
export async function askAuth<Answer>(path: string, body?: object): Promise<Answer> {
  const headers = {
    apikey: anonKey(),
    Authorization: `Bearer ${await accessToken()}`,
    "Content-Type": "application/json",
    "X-Supabase-Api-Version": "2024-01-01",
  };
  const sent = body && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${window.location.origin}/auth/v1${path}`, { headers, ...sent });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new RequestFailed(told.message ?? "", answer.status, told.code ?? "");
  return told;
}

/** Files, which are neither tables nor functions. */
export async function askStorage(path: string, sent: RequestInit): Promise<void> {
  const headers = new Headers(sent.headers);
  headers.set("apikey", anonKey());
  headers.set("Authorization", `Bearer ${await accessToken()}`);
  const answer = await fetch(`${window.location.origin}/storage/v1${path}`, { ...sent, headers });
  if (answer.ok) return;
  const told = await answer.json().catch(() => ({}));
  throw new RequestFailed(told.message ?? "", answer.status, told.error ?? "");
}

/** A session is on its way in: the address brought one, or what one can be made of. */
export function isArriving(): boolean {
  return isEntering || isEntry(broughtAlong());
}

/** Says only that it is worth asking; whether the session is good, and whose it is, the server tells. */
export function mayBeSignedIn(): boolean {
  return isArriving() || localStorage.getItem(SESSION_KEY) !== null;
}

/** Whether the one who is signed in has still to show a second proof. */
export const mustProveMore = (): boolean => isHalfway(storedSession());

/** Whose session the browser holds. */
export async function signedInId(): Promise<string | null> {
  const session = await currentSession();
  return session?.user.id ?? null;
}

async function accessToken(): Promise<string> {
  const session = await currentSession();
  return session?.access_token ?? anonKey();
}

/** A session that lives long enough is used as it lies; only renewing it needs the auth client. */
async function currentSession(): Promise<Pick<StoredSession, "access_token" | "user"> | null> {
  await entered();
  const stored = localStorage.getItem(SESSION_KEY);
  if (stored === null) return null;
  const fresh = freshSession(stored, Date.now());
  if (fresh) return fresh;
  const { data, error } = await (await auth()).getSession();
  // Renewed or not, nobody knows: whoever asked on as a stranger would be shown that there is nothing.
  if (error?.name === "AuthRetryableFetchError") throw new RequestFailed(unreached(), 0, "");
  return data.session;
}

export function anonKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
}
