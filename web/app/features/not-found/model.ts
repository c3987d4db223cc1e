import { paths } from "~/paths";

export type Address = { pathname: string; search: string; state: unknown };

/** At an unknown address, the app says that there is no such page, or shows the outcome of an email. */
export type PageKind = { kind: "not-found" } | EmailPage;

export type EmailPage = { kind: "sent" | "sending" | "kept" } | { kind: "failed"; reason: string };

export function classifyAddress({ pathname, search, state }: Address): PageKind {
  const query = new URLSearchParams(search);
  const kindFromState = classifyState(state);
  if (kindFromState) return kindFromState;
  if (query.get("emailFailed") === "true" || query.get("emailSent") === "false") {
    return { kind: "failed", reason: query.get("reason") || UNKNOWN_REASON };
  }
  if (query.get("emailSent") === "true" || isEmailPath(pathname)) return { kind: "sent" };
  return { kind: "not-found" };
}

const UNKNOWN_REASON = "The reason is not known.";

function classifyState(state: unknown): PageKind | null {
  const fields = asRecord(state);
  const email = asRecord(fields.email);
  if (email.result === "failed" || fields.emailFailed === true) {
    const reason = email.reason ?? fields.reason;
    return { kind: "failed", reason: typeof reason === "string" && reason ? reason : UNKNOWN_REASON };
  }
  if (email.result === "sending" || email.result === "kept") return { kind: email.result };
  if (email.result === "sent" || fields.emailSent === true) return { kind: "sent" };
  return null;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const MISSING_IDS = new Set(["null", "undefined"]);
const EMAIL_SEGMENTS = new Set(["emails", "send-email", "sign"]);

/**
 * Tells whether the path looks like a page about emails, or like a link in which an id was missing, for example
 * `/null/emails`.
 */
function isEmailPath(pathname: string): boolean {
  if (pathname.includes("mail") || pathname.includes("sent-waivers")) return true;
  const segments = pathname.split("/");
  return segments.some(
    (segment, index) => MISSING_IDS.has(segment) && EMAIL_SEGMENTS.has(segments[index + 1] ?? ""),
  );
}

/** Returns the path that the countdown redirects to. */
export function redirectTarget(pathname: string): string {
  if (!pathname.includes("/sign/")) return paths.sentWaivers;
  const segments = pathname.split("/");
  const index = segments.indexOf("session");
  const sessionId = index < 0 ? undefined : segments[index + 1];
  return sessionId && !MISSING_IDS.has(sessionId) ? paths.signing(sessionId) : paths.templates;
}
