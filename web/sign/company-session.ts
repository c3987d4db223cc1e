import { SESSION_KEY } from "../app/lib/stored-session";
import { isEmbedded } from "./embedded";
import { restClient, type RestRequest } from "./rest";

/** This company is signed in on this device. It owns signatures that are made through links that name no company. */
export type CompanySession = { company: { id: string; name: string }; request: RestRequest };

const REFRESH_MARGIN_SECONDS = 90;

type Session = { access_token: string; refresh_token: string; expires_at: number };

/**
 * Tells whether a session can be used. A guest's own phone has none. In a frame the session is ignored, because the
 * website around it might trick the company's staff into clicking something they did not see.
 */
export function hasStoredSession(): boolean {
  if (isEmbedded()) return false;
  try {
    return localStorage.getItem(SESSION_KEY) !== null;
  } catch {
    return false;
  }
}

/** Returns null for a guest account and for an expired session. */
export async function openCompanySession(key: string): Promise<CompanySession | null> {
  try {
    const session: Session = JSON.parse(localStorage.getItem(SESSION_KEY) ?? "");
    const isStale = session.expires_at - REFRESH_MARGIN_SECONDS < Date.now() / 1000;
    const request = restClient(key, (isStale ? await refresh(key, session) : session).access_token);
    const result = await request<CompanySession["company"]>("GET", "companies?select=id,name");
    return result.kind === "row" ? { company: result.row, request } : null;
  } catch {
    return null;
  }
}

async function refresh(key: string, { refresh_token }: Session): Promise<Session> {
  const headers = { apikey: key, "Content-Type": "application/json" };
  const body = JSON.stringify({ refresh_token });
  const response = await fetch("/auth/v1/token?grant_type=refresh_token", { method: "POST", headers, body });
  const text = await response.text();
  if (response.ok) localStorage.setItem(SESSION_KEY, text);
  return JSON.parse(text);
}
