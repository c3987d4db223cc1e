/** The session as it lies in the browser. It grants nothing: the token in it, not what is read here, is what the server asks. */
export type StoredSession = {
  access_token: string;
  expires_at: number;
  user: {
    id: string;
    email?: string;
    email_confirmed_at?: string;
    factors?: { status: string }[];
    app_metadata?: { providers?: string[] };
  };
};

export const SESSION_KEY = "sb-cairn-auth-token";

const MARGIN = 90_000;

export function storedSession(): StoredSession | null {
  return parse(localStorage.getItem(SESSION_KEY));
}

/** Only one that lives long enough to be used as it lies. */
export function freshSession(stored: string, now: number): StoredSession | null {
  const session = parse(stored);
  return session && session.expires_at * 1000 - now > MARGIN ? session : null;
}

/** Signed in with a password alone, by someone who has asked for a second proof. */
export function needsSecondFactor(session: StoredSession | null): boolean {
  const isAsked = session?.user.factors?.some(({ status }) => status === "verified") ?? false;
  return isAsked && levelOf(session?.access_token ?? "") !== "aal2";
}

function levelOf(token: string): unknown {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return JSON.parse(atob(payload)).aal;
  } catch {
    return null;
  }
}

function parse(stored: string | null): StoredSession | null {
  try {
    const session = JSON.parse(stored ?? "null");
    const isWhole =
      typeof session?.access_token === "string" &&
      typeof session.expires_at === "number" &&
      typeof session.user?.id === "string";
    return isWhole ? session : null;
  } catch {
    return null;
  }
}
