import { UNNAMED_COMPANY } from "../app/features/signing/model";
import type { SignableWaiver } from "../app/features/signing/signature-row";
import { toForm } from "../app/lib/waiver-form/parse";
import type { Form } from "../app/lib/waiver-form/types";
import type * as database from "../app/lib/database";
import type { RestRequest } from "./rest";

/** The consent text is shown beside the checkbox. Its version and language are stored with the signature. */
type Consent = database.ConsentTextRow;

/** On this page a waiver is the text to sign. It comes from a session or from a template. */
export type Waiver = Omit<SignableWaiver, "sessionId"> & {
  /** This is null for a template, because signing it creates a new session. */
  sessionId: string | null;
  description: string;
  /** This company shared the link. A sample template itself belongs to no company. */
  companyId: string | null;
  recipientName: string;
  recipientEmail: string;
  form: Form | null;
  isSigned: boolean;
  isCancelled?: boolean;
  expiresAt: string | null;
};

export type WaiverLookup =
  | { kind: "waiver"; waiver: Waiver }
  | { kind: "missing"; what: "session" | "template" | "content" }
  | { kind: "unavailable" };

/** Extracts the names from a list such as "id,status". */
type Names<List extends string> = List extends `${infer Name},${infer Rest}` ? Name | Names<Rest> : List;

export const SESSION_COLUMNS =
  "id,status,template_id,template_name,template_description,template_content,recipient_name,recipient_email,company_name,company_id,expires_at,form";
export type SessionRow = Pick<database.SessionRow, Names<typeof SESSION_COLUMNS>>;

const TEMPLATE_COLUMNS = "id,name,description,content,company_id,form";
type TemplateRow = Pick<database.TemplateRow, Names<typeof TEMPLATE_COLUMNS>>;

/** Parses the waiver that the server wrote into the page. The result is `unavailable` if there is none. */
export function parseInlined(json: string): WaiverLookup {
  try {
    const inlined = JSON.parse(json);
    if (inlined.kind === "session") return fromSession(inlined.session, inlined.consent);
    if (inlined.kind === "template")
      return fromTemplate(inlined.template, inlined.company_name, inlined.company, inlined.consent);
    if (inlined.kind === "missing") return { kind: "missing", what: inlined.what };
  } catch {
    // The placeholder was not replaced, because the page was not served by our server.
  }
  return { kind: "unavailable" };
}

export async function loadWaiver(request: RestRequest, url: URL): Promise<WaiverLookup> {
  const [, isSession, id] = /^\/waivers\/sign\/(session\/)?([^/]+)\/?$/.exec(url.pathname) ?? [];
  if (!id) return { kind: "missing", what: "template" };
  if (isSession) {
    const result = await request<SessionRow>("GET", `waiver_sessions?select=${SESSION_COLUMNS}&id=eq.${id}`);
    if (result.kind === "row") return fromSession(result.row, await loadConsent(request));
    return failedLookup(result, "session");
  }
  const result = await request<TemplateRow>("GET", `waiver_templates?select=${TEMPLATE_COLUMNS}&id=eq.${id}`);
  if (result.kind === "row")
    return fromTemplate(
      result.row,
      UNNAMED_COMPANY,
      result.row.company_id ?? url.searchParams.get("company"),
      await loadConsent(request),
    );
  return failedLookup(result, "template");
}

async function loadConsent(request: RestRequest): Promise<Consent | undefined> {
  const newestConsent =
    "consent_texts?select=version,language,text&language=eq.en&order=version.desc&limit=1";
  const result = await request<Consent>("GET", newestConsent);
  return result.kind === "row" ? result.row : undefined;
}

/** The waiver is missing if no row has the id or the id is malformed. Any other error may be temporary. */
function failedLookup(result: { kind: string; code?: string }, what: "session" | "template"): WaiverLookup {
  return ["PGRST116", "22P02"].includes(result.code ?? "")
    ? { kind: "missing", what }
    : { kind: "unavailable" };
}

export function fromSession(row: SessionRow, consent: Consent | null = null): WaiverLookup {
  if (!row.template_content) return { kind: "missing", what: "content" };
  const waiver: Waiver = {
    // The default session of a template is never signed. Each signer gets a new session.
    sessionId: row.status === "template_default" ? null : row.id,
    templateId: row.template_id,
    name: row.template_name,
    description: row.template_description,
    content: row.template_content,
    company: row.company_name,
    companyId: row.company_id,
    recipientName: row.recipient_name ?? "",
    recipientEmail: row.recipient_email ?? "",
    form: toForm(row.form),
    isSigned: row.status === "signed",
    isCancelled: row.status === "cancelled",
    expiresAt: row.expires_at,
    consent,
  };
  return { kind: "waiver", waiver };
}

function fromTemplate(
  row: TemplateRow,
  company: string,
  companyId: string | null,
  consent: Consent | null = null,
): WaiverLookup {
  const waiver: Waiver = {
    sessionId: null,
    templateId: row.id,
    name: row.name,
    description: row.description,
    content: row.content,
    company,
    companyId,
    recipientName: "",
    recipientEmail: "",
    form: toForm(row.form),
    isSigned: false,
    expiresAt: null,
    consent,
  };
  return { kind: "waiver", waiver };
}

/** Returns the waiver as the signed-in company offers it, or null if that company does not offer it. */
export function forCompany(
  lookup: WaiverLookup,
  { id, name }: { id: string; name: string },
): WaiverLookup | null {
  if (lookup.kind !== "waiver") return null;
  const { waiver } = lookup;
  if (waiver.companyId === id) return lookup;
  // If the link to a sample template names no company, the signed-in company owns the signature.
  const hasNoCompany = !waiver.companyId && !waiver.sessionId;
  return hasNoCompany
    ? { kind: "waiver", waiver: { ...waiver, companyId: id, company: name.trim() || UNNAMED_COMPANY } }
    : null;
}
