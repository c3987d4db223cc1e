/** These are the fields of the stored session that the app reads. The server trusts only the token. */
export type StoredSession = {
  access_token: string;
  expires_at: number;
  user: {
    id: string;
    email?: string;
    phone?: string;
    email_confirmed_at?: string;
    factors?: { status: string }[];
    app_metadata?: {
      providers?: string[];
      /**
       * True if the server removed the password when someone proved the address of the account for the first
       * time. Until then, anyone could have created the account.
       */
      password_removed?: boolean;
    };
  };
};

export const SESSION_KEY = "sb-cairn-auth-token";

const REFRESH_MARGIN_MS = 90_000;

export function storedSession(): StoredSession | null {
  return parseSession(localStorage.getItem(SESSION_KEY));
}

/** Returns null if the session expires too soon to be used without a refresh. */
export function freshSession(storedText: string, nowMs: number): StoredSession | null {
  const session = parseSession(storedText);
  return session && session.expires_at * 1000 - nowMs > REFRESH_MARGIN_MS ? session : null;
}

/** Tells whether a user with a second factor has only entered the password so far. */
export function needsSecondFactor(session: StoredSession | null): boolean {
  const hasFactor = session?.user.factors?.some(({ status }) => status === "verified") ?? false;
  return hasFactor && assuranceLevel(session?.access_token ?? "") !== "aal2";
}

function assuranceLevel(token: string): unknown {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return JSON.parse(atob(payload)).aal;
  } catch {
    return null;
  }
}

function parseSession(storedText: string | null): StoredSession | null {
  try {
    const session = JSON.parse(storedText ?? "null");
    const isComplete =
      typeof session?.access_token === "string" &&
      typeof session.expires_at === "number" &&
      typeof session.user?.id === "string";
    return isComplete ? session : null;
  } catch {
    return null;
  }
}
