import type { SessionRow } from "~/lib/database";

export const NOT_CREATED = "Could not create waiver session. Please try again.";
export const WENT_WRONG = "Something went wrong. Please try again.";
export const NO_SESSION = "Could not find the waiver session.";
export const NO_TEMPLATE = "Could not find the waiver template for this session.";
export const NOT_LOADED = "An error occurred while loading the waiver session.";
export const UNEXPECTED = "An unexpected error occurred. Please try again.";
export const notStored = (message: string) => `Failed to store signed waiver: ${message}`;

export type Target = { kind: "session" | "template"; id: string };

const LONGEST_TEMPLATE_ID = 30;

/** What `?sign=` names. A known template wins, because one sample's id is as long as a session's. */
export function targetOf(value: string, templates: { id: string }[]): Target {
  const isKnown = templates.some(({ id }) => id === value);
  const isSession = !isKnown && value.length > LONGEST_TEMPLATE_ID && value.includes("-");
  return { kind: isSession ? "session" : "template", id: value };
}

type Looked = {
  isError: boolean;
  found: { session: Pick<SessionRow, "template_content"> } | null | undefined;
};

export function troubleWith({ isError, found }: Looked): string | null {
  if (isError) return NOT_LOADED;
  if (found === null) return NO_SESSION;
  return found && !found.session.template_content.trim() ? NO_TEMPLATE : null;
}

export const shortId = (sessionId: string): string => sessionId.slice(0, 8);

export function isExpired({ status, expires_at }: Pick<SessionRow, "status" | "expires_at">, now: Date) {
  return status === "pending" && expires_at !== null && new Date(expires_at) <= now;
}

/** Per cent of the words that have come into the box they are read in, 0 to 100. */
export function depth({ scrollTop, clientHeight, scrollHeight }: Element): number {
  return scrollHeight === 0
    ? 0
    : Math.min(100, Math.round(((scrollTop + clientHeight) / scrollHeight) * 100));
}
