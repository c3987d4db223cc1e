import { fillPlaceholders } from "../app/features/signing/model";
import type { Signed } from "../app/features/signing/signing-form";
import type { Reading } from "./reading";
import type { Ask } from "./rest";
import { SESSION_COLUMNS, fromSession, type SessionRow, type Waiver } from "./waiver";

/** One signature, frozen. Its ids are made here, so sending it twice stores it once. */
export type Submission = {
  session: {
    id: string;
    template_id: string;
    status: "pending";
    template_content: string;
    company_id?: string;
  } | null;
  waiver: {
    id: string;
    session_id: string;
    template_id: string;
    template_name: string;
    signer_name: string;
    signer_email: string;
    signature: string;
    content: string;
    time_zone: string;
    strokes: Signed["strokes"];
  } & Reading &
    Partial<Record<"consent_version" | "consent_language" | "consented_at", string>>;
};

export type Outcome =
  | { kind: "stored" }
  | { kind: "unreachable" }
  | { kind: "expired" }
  | { kind: "changed"; waiver: Waiver }
  | { kind: "refused"; problem: string };

/** The same signature keeps its ids when it is tried again; a new one gets its own. */
export function submission(
  waiver: Waiver,
  signed: Signed,
  reading: Reading,
  before: Submission | null,
): Submission {
  const content = fillPlaceholders(waiver.content, { participant: signed.name, company: waiver.company });
  if (before && isSame(before, signed, content)) return before;
  const sessionId = waiver.sessionId ?? newId();
  return {
    session: waiver.sessionId ? null : openingOf(waiver, sessionId),
    waiver: {
      id: newId(),
      session_id: sessionId,
      template_id: waiver.templateId,
      template_name: waiver.name,
      signer_name: signed.name,
      signer_email: signed.email,
      signature: signed.signature,
      content,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      strokes: signed.strokes,
      ...reading,
      ...agreement(waiver, signed),
    },
  };
}

function agreement({ consent }: Waiver, { consentedAt }: Signed) {
  return (
    consent && {
      consent_version: consent.version,
      consent_language: consent.language,
      consented_at: consentedAt,
    }
  );
}

function isSame({ waiver }: Submission, signed: Signed, content: string): boolean {
  return (
    waiver.signer_name === signed.name &&
    waiver.signer_email === signed.email &&
    waiver.signature === signed.signature &&
    waiver.content === content
  );
}

function openingOf(waiver: Waiver, id: string): Submission["session"] {
  const session = {
    id,
    template_id: waiver.templateId,
    status: "pending" as const,
    template_content: waiver.content,
  };
  return waiver.companyId ? { ...session, company_id: waiver.companyId } : session;
}

/** Not crypto.randomUUID: a phone on a plain-http address in the boat house does not have it. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export async function deliver(ask: Ask, { session, waiver }: Submission): Promise<Outcome> {
  if (session) {
    const answer = await ask<SessionRow>("POST", `waiver_sessions?select=${SESSION_COLUMNS}`, session);
    if (answer.kind === "unreachable") return answer;
    if (answer.kind === "refused") return { kind: "refused", problem: "Failed to create waiver session." };
    const opened = fromSession(about(session.id, answer.row));
    // The template was edited, or its company renamed, after this page was opened: nobody signs words they did not see.
    if (opened.kind === "waiver" && !says(opened.waiver, waiver))
      return { kind: "changed", waiver: opened.waiver };
  }
  const answer = await ask<Named>("POST", "signed_waivers?select=id,signed_at", waiver);
  if (answer.kind === "unreachable") return answer;
  if (answer.kind === "row") return about(waiver.id, answer.row) && { kind: "stored" };
  if (answer.code === "PT410") return { kind: "expired" };
  // The session, or the words of its template, are not there; the server says which.
  if (answer.code === "PT404") return { kind: "refused", problem: answer.message };
  return { kind: "refused", problem: `Failed to store signed waiver: ${answer.message}` };
}

type Named = { id: string };

/** Others on the way answer too; whoever has stored it can name it. */
function about<Row extends Named>(id: string, row: Row): Row {
  if (row.id !== id) throw new Error("This answers something else.");
  return row;
}

function says(opened: Waiver, { content, signer_name }: Submission["waiver"]): boolean {
  return content === fillPlaceholders(opened.content, { participant: signer_name, company: opened.company });
}

/** Cannot happen on our own server, which does both in one transaction; said if it ever does. */
export async function sessionWarning(ask: Ask, id: string): Promise<string> {
  const answer = await ask<{ status: string }>("GET", `waiver_sessions?select=status&id=eq.${id}`);
  const isOpen = answer.kind === "row" && answer.row.status !== "signed";
  return isOpen ? "Warning: Waiver was signed but we couldn't update the session record." : "";
}
