import { paths } from "~/paths";

export type Place = { pathname: string; search: string; state: unknown };

/** Which page an unknown address shows. */
export type Finding =
  | { kind: "not-found" }
  | { kind: "sent" | "sending" | "kept" }
  | { kind: "failed"; reason: string };

export function finding({ pathname, search, state }: Place): Finding {
  const query = new URLSearchParams(search);
  const told = toldByState(state);
  if (told) return told;
  if (query.get("emailFailed") === "true" || query.get("emailSent") === "false") {
    return { kind: "failed", reason: query.get("reason") || UNKNOWN_REASON };
  }
  if (query.get("emailSent") === "true" || speaksOfMail(pathname)) return { kind: "sent" };
  return { kind: "not-found" };
}

const UNKNOWN_REASON = "The reason is not known.";

function toldByState(state: unknown): Finding | null {
  const facts = factsOf(state);
  const email = factsOf(facts.email);
  if (email.result === "failed" || facts.emailFailed === true) {
    const reason = email.reason ?? facts.reason;
    return { kind: "failed", reason: typeof reason === "string" && reason ? reason : UNKNOWN_REASON };
  }
  if (email.result === "sending" || email.result === "kept") return { kind: email.result };
  if (email.result === "sent" || facts.emailSent === true) return { kind: "sent" };
  return null;
}

const factsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const LOST = new Set(["null", "undefined"]);
const AFTER_LOST = new Set(["emails", "send-email", "sign"]);

function speaksOfMail(pathname: string): boolean {
  if (pathname.includes("mail") || pathname.includes("sent-waivers")) return true;
  const segments = pathname.split("/");
  return segments.some((segment, at) => LOST.has(segment) && AFTER_LOST.has(segments[at + 1] ?? ""));
}

/** Where the countdown leads. */
export function destination(pathname: string): string {
  if (!pathname.includes("/sign/")) return paths.sentWaivers;
  const segments = pathname.split("/");
  const at = segments.indexOf("session");
  const sessionId = at < 0 ? undefined : segments[at + 1];
  return sessionId && !LOST.has(sessionId) ? paths.signing(sessionId) : paths.templates;
}
