import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createClient as createOldClient } from "supabase-old";
import { inject } from "vitest";

/** Every contract holds for the newest client and for the old one the product's constants come from. */
export const CLIENTS = [
  ["newest", (key: string) => connect(key)],
  ["2.49.4", (key: string) => connectOld(key)],
] as const;

export type Connect = (key: string) => SupabaseClient;

const withoutStorage = { auth: { persistSession: false, autoRefreshToken: false } };

/** The same two, keeping their PKCE verifier in memory as a browser tab keeps it in its storage. */
export function connectWithPkce(version: string): SupabaseClient {
  const { url, anon_key } = inject("keys");
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  const auth = { flowType: "pkce" as const, storage, persistSession: true, autoRefreshToken: false };
  if (version === "newest") return createClient(url, anon_key, { auth });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as below
  return createOldClient(url, anon_key, { auth }) as unknown as SupabaseClient;
}

/** Somebody who holds a token and nothing else: no password, and no session to renew it from. */
export function connectWithToken(version: string, token: string): SupabaseClient {
  const { url, anon_key } = inject("keys");
  const accessToken = async () => token;
  if (version === "newest") return createClient(url, anon_key, { accessToken });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as below
  return createOldClient(url, anon_key, { accessToken }) as unknown as SupabaseClient;
}

function connect(key: string): SupabaseClient {
  return createClient(inject("keys").url, key, withoutStorage);
}

function connectOld(key: string): SupabaseClient {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two differ in types, not in the calls made here
  return createOldClient(inject("keys").url, key, withoutStorage) as unknown as SupabaseClient;
}

export function stranger(using: Connect): SupabaseClient {
  return using(inject("keys").anon_key);
}

export function service(using: Connect): SupabaseClient {
  return using(inject("keys").service_key);
}

let people = 0;

export function address(name: string): string {
  people += 1;
  return `${name}.${process.pid}.${Date.now()}.${people}@example.com`;
}

export const PASSWORD = "a long walk by the river";

export interface Person {
  client: SupabaseClient;
  id: string;
  email: string;
  token: string;
}

/** Signs up through the client and stays signed in on it. */
export async function signUp(
  using: Connect,
  name: string,
  role: "company" | "customer" = "company",
): Promise<Person> {
  const client = stranger(using);
  const email = address(name.toLowerCase());
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { name, role } },
  });
  if (error || !data.user || !data.session) throw error ?? new Error("sign-up gave no session");
  return { client, id: data.user.id, email, token: data.session.access_token };
}

/** A real, tiny PNG. */
export const SIGNATURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const SAMPLE = "template-general-liability";

export interface SessionRow {
  id: string;
  status: string;
  template_content: string;
}

export async function openSession(owner: Person): Promise<SessionRow> {
  const { data, error } = await owner.client
    .from("waiver_sessions")
    .insert({
      template_id: SAMPLE,
      status: "pending",
      template_content: "I, [PARTICIPANT NAME], ride with [COMPANY NAME].",
      recipient_name: "Gil Okafor",
      recipient_email: "gil@example.com",
    })
    .select()
    .single<SessionRow>();
  if (error) throw error;
  return data;
}

export interface NewSignature {
  template_id: string;
  template_name: string;
  signer_name: string;
  signer_email: string;
  signature: string;
  content: string;
  session_id: string;
}

export function signature(sessionId: string): NewSignature {
  return {
    template_id: SAMPLE,
    template_name: "General Liability Waiver",
    signer_name: "Gil Okafor",
    signer_email: "gil@example.com",
    signature: SIGNATURE,
    content: "whatever the browser shows",
    session_id: sessionId,
  };
}
