import { isEmbedded } from "./embedded";
import { connect, type Ask } from "./rest";

/** The company whose people are signed in on this device: it owns what is signed here on a link that names nobody. */
export type Desk = { company: { id: string; name: string }; ask: Ask };

/** Where the app keeps its session. */
const STORED = "sb-cairn-auth-token";
const MARGIN = 90;

type Session = { access_token: string; refresh_token: string; expires_at: number };

/**
 * Not on a guest's own phone, where nothing is asked; nor in a frame, where nobody acts for the company: the website
 * around it may have led them to press something they did not see.
 */
export function isSomebodyHere(): boolean {
  if (isEmbedded()) return false;
  try {
    return localStorage.getItem(STORED) !== null;
  } catch {
    return false;
  }
}

/** Null for a guest's account, and for a session that is over. */
export async function findDesk(key: string): Promise<Desk | null> {
  try {
    const stored: Session = JSON.parse(localStorage.getItem(STORED) ?? "");
    const isStale = stored.expires_at - MARGIN < Date.now() / 1000;
    const ask = connect(key, (isStale ? await renewed(key, stored) : stored).access_token);
    const answer = await ask<Desk["company"]>("GET", "companies?select=id,name");
    return answer.kind === "row" ? { company: answer.row, ask } : null;
  } catch {
    return null;
  }
}

async function renewed(key: string, { refresh_token }: Session): Promise<Session> {
  const headers = { apikey: key, "Content-Type": "application/json" };
  const body = JSON.stringify({ refresh_token });
  const answer = await fetch("/auth/v1/token?grant_type=refresh_token", { method: "POST", headers, body });
  const text = await answer.text();
  if (answer.ok) localStorage.setItem(STORED, text);
  return JSON.parse(text);
}
