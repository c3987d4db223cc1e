import type { RealtimeClient } from "@supabase/realtime-js";
import type { Client } from "./client";

export type { Client };

let client: Promise<Client> | undefined;
let line: Promise<RealtimeClient> | undefined;

/** Loaded on first use: a visitor who only looks at a page does not wait for the client. */
export function connect(): Promise<Client> {
  client ??= import("./client").then(({ createClient }) => createClient(window.location.origin, anonKey()));
  return client;
}

/** The open line to the server, fetched after the first view is on screen. */
export function openLine(): Promise<RealtimeClient> {
  line ??= Promise.all([connect(), import("./live-client")]).then(([{ auth }, { createLine }]) =>
    createLine(window.location.origin, anonKey(), auth),
  );
  return line;
}

export const SESSION_KEY = "sb-cairn-auth-token";

/** Says only that it is worth asking; whether the session is good, and whose it is, the server tells. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(SESSION_KEY) !== null;
}

function anonKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
}
