import type { SupabaseClient } from "@supabase/supabase-js";
import { inject } from "vitest";

import { memoryStorage } from "./browser";
import { CREATE_CLIENT, type Version, VERSIONS } from "./clients";

export type Connect = (key: string) => SupabaseClient;

const WITHOUT_STORAGE = { auth: { persistSession: false, autoRefreshToken: false } };

/** Each entry has a version of the client library and a function that creates a client for a project key. */
export const CLIENTS = VERSIONS.map(
  (version) =>
    [version, (key: string) => CREATE_CLIENT[version](inject("keys").url, key, WITHOUT_STORAGE)] as const,
);

/** Creates a client that keeps its PKCE verifier in memory, as a browser tab keeps it in its storage. */
export function connectWithPkce(version: Version): SupabaseClient {
  const { url, anon_key } = inject("keys");
  const auth = {
    flowType: "pkce" as const,
    storage: memoryStorage(),
    persistSession: true,
    autoRefreshToken: false,
  };
  return CREATE_CLIENT[version](url, anon_key, { auth });
}

/** Creates a client that has only an access token and cannot refresh it. */
export function connectWithToken(version: Version, token: string): SupabaseClient {
  const { url, anon_key } = inject("keys");
  return CREATE_CLIENT[version](url, anon_key, { accessToken: async () => token });
}

export function anonymousClient(connect: Connect): SupabaseClient {
  return connect(inject("keys").anon_key);
}

export function serviceClient(connect: Connect): SupabaseClient {
  return connect(inject("keys").service_key);
}

let emailCount = 0;

export function uniqueEmail(name: string): string {
  emailCount += 1;
  return `${name}.${process.pid}.${Date.now()}.${emailCount}@example.com`;
}

export const PASSWORD = "a long walk by the river";

export interface Person {
  client: SupabaseClient;
  id: string;
  email: string;
  token: string;
}

/** Signs up a user. The returned client stays signed in. */
export async function signUp(
  connect: Connect,
  name: string,
  role: "company" | "customer" = "company",
): Promise<Person> {
  const client = anonymousClient(connect);
  const email = uniqueEmail(name.toLowerCase());
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { name, role } },
  });
  if (error || !data.user || !data.session) throw error ?? new Error("The sign-up returned no session.");
  return { client, id: data.user.id, email, token: data.session.access_token };
}

/** This is a valid PNG of one pixel. */
export const SIGNATURE_IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const SAMPLE_TEMPLATE = "template-general-liability";

export interface SessionRow {
  id: string;
  status: string;
  template_content: string;
}

export async function openSession(owner: Person): Promise<SessionRow> {
  const { data, error } = await owner.client
    .from("waiver_sessions")
    .insert({
      template_id: SAMPLE_TEMPLATE,
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

export interface SignatureRow {
  template_id: string;
  template_name: string;
  signer_name: string;
  signer_email: string;
  signature: string;
  content: string;
  session_id: string;
}

/** Returns the row that the signing page inserts. */
export function signatureRow(sessionId: string): SignatureRow {
  return {
    template_id: SAMPLE_TEMPLATE,
    template_name: "General Liability Waiver",
    signer_name: "Gil Okafor",
    signer_email: "gil@example.com",
    signature: SIGNATURE_IMAGE,
    content: "the text shown in the browser",
    session_id: sessionId,
  };
}

/** Signs a session without an account. */
export async function signAsGuest(connect: Connect, sessionId: string): Promise<void> {
  await anonymousClient(connect).from("signed_waivers").insert(signatureRow(sessionId)).throwOnError();
}
