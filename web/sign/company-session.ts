import { SESSION_KEY } from "../app/lib/stored-session";
import { isEmbedded } from "./embedded";
import { restClient, type RestRequest } from "./rest";

/**
 * A company that is signed in on this device, and a client that has its permissions. If a link names no company, its
 * signatures belong to this company.
 */
export type CompanySession = { company: { id: string; name: string }; request: RestRequest };

const REFRESH_MARGIN_SECONDS = 90;

type StoredSession = { access_token: string; refresh_token: string; expires_at: number };

/**
 * Tells whether a company or a guest is signed in on this device. In a frame the stored session is ignored,
 * because the website around the frame might trick the company's staff into clicking something they did not see.
 */
export function hasStoredSession(): boolean {
  if (isEmbedded()) return false;
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

/** Returns null for a guest account and for a session that can no longer be refreshed. */
export async function openCompanySession(anonKey: string): Promise<CompanySession | null> {
  try {
    const session: StoredSession = JSON.parse(localStorage.getItem(SESSION_KEY) ?? "");
    const isStale = session.expires_at - REFRESH_MARGIN_SECONDS < Date.now() / 1000;
    const { access_token } = isStale ? await refresh(anonKey, session) : session;
    const request = restClient(anonKey, access_token);
    const result = await request<CompanySession["company"]>("GET", "companies?select=id,name");
    return result.kind === "row" ? { company: result.row, request } : null;
  } catch {
    return null;
  }
}

async function refresh(anonKey: string, { refresh_token }: StoredSession): Promise<StoredSession> {
  const headers = { apikey: anonKey, "Content-Type": "application/json" };
  const body = JSON.stringify({ refresh_token });
  const response = await fetch("/auth/v1/token?grant_type=refresh_token", { method: "POST", headers, body });
  const text = await response.text();
  if (response.ok) localStorage.setItem(SESSION_KEY, text);
  return JSON.parse(text);
}
