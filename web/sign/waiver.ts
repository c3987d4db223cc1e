import { UNNAMED_COMPANY } from "../app/features/signing/model";
import type { Ask } from "./rest";

/** What the signer agrees to by ticking the box; version and language go back with the signature. */
export type Consent = { version: string; language: string; text: string };

/** What stands before the signer, wherever it came from. */
export type Waiver = {
  /** Null for a template: a session of the signer's own is opened when they sign. */
  sessionId: string | null;
  templateId: string;
  name: string;
  description: string;
  content: string;
  company: string;
  /** The company a link to a sample was handed out by. */
  companyId: string | null;
  recipientName: string;
  recipientEmail: string;
  signed: boolean;
  expiresAt: string | null;
  /** Null only where a service keeps no such text. */
  consent: Consent | null;
};

export type Found =
  | { kind: "waiver"; waiver: Waiver }
  | { kind: "missing"; what: "session" | "template" | "content" }
  | { kind: "unavailable" };

export type SessionRow = {
  id: string;
  status: string;
  template_id: string;
  template_name: string;
  template_description: string | null;
  template_content: string | null;
  recipient_name: string | null;
  recipient_email: string | null;
  company_name: string;
  company_id?: string | null;
  expires_at: string | null;
};

export const SESSION_COLUMNS =
  "id,status,template_id,template_name,template_description,template_content,recipient_name,recipient_email,company_name,company_id,expires_at";

type TemplateRow = {
  id: string;
  name: string;
  description: string | null;
  content: string;
  company_id?: string | null;
};

/** What the server wrote into the page; unavailable when it wrote nothing there. */
export function inlined(json: string): Found {
  try {
    const found = JSON.parse(json);
    if (found.kind === "session") return fromSession(found.session, found.consent);
    if (found.kind === "template")
      return fromTemplate(found.template, found.company_name, found.company, found.consent);
    if (found.kind === "missing") return { kind: "missing", what: found.what };
  } catch {
    // Not filled in: the page was served by something that does not know the waiver.
  }
  return { kind: "unavailable" };
}

export async function load(ask: Ask, address: URL): Promise<Found> {
  const [, what, id] = /^\/waivers\/sign\/(session\/)?([^/]+)\/?$/.exec(address.pathname) ?? [];
  if (!id) return { kind: "missing", what: "template" };
  if (what) {
    const answer = await ask<SessionRow>("GET", `waiver_sessions?select=${SESSION_COLUMNS}&id=eq.${id}`);
    if (answer.kind === "row") return fromSession(answer.row, await loadConsent(ask));
    return absent(answer, "session");
  }
  const answer = await ask<TemplateRow>(
    "GET",
    `waiver_templates?select=id,name,description,content,company_id&id=eq.${id}`,
  );
  if (answer.kind === "row")
    return fromTemplate(
      answer.row,
      UNNAMED_COMPANY,
      answer.row.company_id ?? address.searchParams.get("company"),
      await loadConsent(ask),
    );
  return absent(answer, "template");
}

async function loadConsent(ask: Ask): Promise<Consent | undefined> {
  const newest = "consent_texts?select=version,language,text&language=eq.en&order=version.desc&limit=1";
  const answer = await ask<Consent>("GET", newest);
  return answer.kind === "row" ? answer.row : undefined;
}

/** No such row, or an id that no row can have. Anything else is trouble on the way, not an absence. */
function absent(answer: { kind: string; code?: string }, what: "session" | "template"): Found {
  return ["PGRST116", "22P02"].includes(answer.code ?? "")
    ? { kind: "missing", what }
    : { kind: "unavailable" };
}

export function fromSession(row: SessionRow, consent: Consent | null = null): Found {
  if (!row.template_content) return { kind: "missing", what: "content" };
  const waiver: Waiver = {
    // The template's own session is never signed; each signer gets a new one.
    sessionId: row.status === "template_default" ? null : row.id,
    templateId: row.template_id,
    name: row.template_name,
    description: row.template_description ?? "",
    content: row.template_content,
    company: row.company_name,
    companyId: row.company_id ?? null,
    recipientName: row.recipient_name ?? "",
    recipientEmail: row.recipient_email ?? "",
    signed: row.status === "signed",
    expiresAt: row.status === "pending" ? row.expires_at : null,
    consent,
  };
  return { kind: "waiver", waiver };
}

function fromTemplate(
  row: TemplateRow,
  company: string,
  companyId: string | null,
  consent: Consent | null = null,
): Found {
  const waiver: Waiver = {
    sessionId: null,
    templateId: row.id,
    name: row.name,
    description: row.description ?? "",
    content: row.content,
    company,
    companyId,
    recipientName: "",
    recipientEmail: "",
    signed: false,
    expiresAt: null,
    consent,
  };
  return { kind: "waiver", waiver };
}

/** The waiver as it is signed at the company's own desk; null when it is somebody else's. */
export function atDesk(found: Found, { id, name }: { id: string; name: string }): Found | null {
  if (found.kind !== "waiver") return null;
  const { waiver } = found;
  if (waiver.companyId === id) return found;
  // A bare link to a sample names nobody, so it is the company's that is signed in.
  const isNobodys = !waiver.companyId && !waiver.sessionId;
  return isNobodys
    ? { kind: "waiver", waiver: { ...waiver, companyId: id, company: name.trim() || UNNAMED_COMPANY } }
    : null;
}

export function isExpired(waiver: Waiver, now: Date): boolean {
  return waiver.expiresAt !== null && new Date(waiver.expiresAt) <= now;
}
