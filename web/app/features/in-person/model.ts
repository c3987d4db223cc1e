import type { SessionRow } from "~/lib/database";
import { isPast, percentSeen } from "~/lib/signing";

/** These texts are shown in toasts. */
export const SESSION_REFUSED = "Could not create waiver session. Please try again.";
export const NO_RESPONSE = "Something went wrong. Please try again.";
export const SESSION_NOT_FOUND = "Could not find the waiver session.";
export const TEMPLATE_NOT_FOUND = "Could not find the waiver template for this session.";
export const NOT_LOADED = "An error occurred while loading the waiver session.";
export const notStored = (message: string) => `Failed to store signed waiver: ${message}`;

export type SignTarget = { kind: "session" | "template"; id: string };

const MAX_TEMPLATE_ID_LENGTH = 30;

/**
 * The parameter `?sign=` contains the id of a session or of a template. An id with a hyphen and more than 30 characters
 * belongs to a session, unless it is the id of a known template. The id of one sample is that long.
 */
export function parseSignParameter(value: string, templates: { id: string }[]): SignTarget {
  const isKnownTemplate = templates.some(({ id }) => id === value);
  const isSession = !isKnownTemplate && value.length > MAX_TEMPLATE_ID_LENGTH && value.includes("-");
  return { kind: isSession ? "session" : "template", id: value };
}

type SessionResult = {
  isError: boolean;
  result: { session: Pick<SessionRow, "template_content"> } | null | undefined;
};

export function sessionProblem({ isError, result }: SessionResult): string | null {
  if (isError) return NOT_LOADED;
  if (result === null) return SESSION_NOT_FOUND;
  return result && !result.session.template_content.trim() ? TEMPLATE_NOT_FOUND : null;
}

export const shortId = (sessionId: string): string => sessionId.slice(0, 8);

/** A signed session can be signed again, so it expires like any other session. */
export const isExpired = ({ expires_at }: Pick<SessionRow, "expires_at">, now: Date): boolean =>
  isPast(expires_at, now);

/** Returns how much of the text has been scrolled into view, in percent. */
export const scrollDepth = ({ scrollTop, clientHeight, scrollHeight }: Element): number =>
  percentSeen(scrollTop + clientHeight, scrollHeight);
