import { vi } from "vitest";
import type { SessionRow } from "./waiver";

export const SESSION: SessionRow = {
  id: "3f2a9c1e-7b0d-4c55-9a3e-1d2f3a4b5c6d",
  status: "pending",
  template_id: "tpl-river",
  template_name: "River day",
  template_description: "Half a day on the water",
  template_content: "# Risk\n\nI, [PARTICIPANT NAME], join [COMPANY NAME].",
  recipient_name: "Gil Guest",
  recipient_email: "gil@example.com",
  company_name: "Rio Rafting",
  company_id: null,
  expires_at: null,
  form: null,
};

export const TEMPLATE = {
  id: "tpl-river",
  name: "River day",
  description: "Half a day on the water",
  content: "I, [PARTICIPANT NAME], join [COMPANY NAME].",
  form: null,
};

export const CONSENT = { version: "2026-11", language: "en", text: "I agree to sign electronically." };

const REFRESHED_TOKENS = { access_token: "refreshed", refresh_token: "next", expires_at: 9_999_999_999 };

type Row = Record<string, unknown>;
type FakeResponse = { status: number; body: object };

/**
 * Replaces `fetch` with an in-memory server for the requests of the signing page. Tests can make it fail in several
 * ways.
 */
export class FakeServer {
  sessions = new Map<string, Row>([[SESSION.id, { ...SESSION }]]);
  templates = new Map<string, Row>([[TEMPLATE.id, TEMPLATE]]);
  signedWaivers = new Map<string, Row>();
  /** The server records the payload of each call to `note_waiver_view`. */
  views: unknown[] = [];
  /** The document is reported as being prepared this many times before it is ready. */
  preparingCount = 0;
  /** The server responds that the document cannot be rendered, for example because the text is too long. */
  isTextTooLong = false;
  /** The server responds to `email-copy` with this text. */
  emailMessage = "";
  /** The server responds to an uploaded interactive form with its fields or an error. */
  filledForm: FakeResponse = { status: 200, body: {} };
  /** The adults who got a link of their own, and the messages with these links. */
  invitedAdults: Row[] = [];
  sentInvitations: Row[] = [];
  /** The server responds to each `send-invitation` with this. */
  invitationResponse: FakeResponse = { status: 202, body: { status: "sending" } };
  offersTextMessages = false;
  /** This company is signed in. */
  company: Row | undefined;
  /** Requests with one of these access tokens are rejected as expired. */
  rejectedTokens: unknown[] = [];
  /** The token and `METHOD table` of each REST request, except for rejected tokens and `note_waiver_view`. */
  tokens: unknown[] = [];
  requests: string[] = [];
  isDown = false;
  /** A captive portal responds instead of the server. */
  isCaptivePortal = false;
  /** The server stores the row, but the response never arrives. */
  losesResponses = false;
  /** The server stores the row, then responds with status 500. */
  failsAfterStoring = false;
  /** A test can set the response to a `METHOD table`. */
  fixedResponses: Partial<Record<string, FakeResponse>> = {};

  constructor() {
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => this.respond(path, init));
  }

  private async respond(path: string, init: RequestInit): Promise<Response> {
    const url = new URL(path, "http://cairn.test");
    if (url.pathname.endsWith("/note_waiver_view")) return this.noteView(init);
    if (url.pathname === "/functions/v1/waiver-document") return this.documentResponse(init);
    if (url.pathname.startsWith("/functions/v1/")) return this.functionResponse(url.pathname, init);
    if (url.pathname === "/auth/v1/token") return Response.json(REFRESHED_TOKENS);
    const token = new Headers(init.headers).get("Authorization")?.replace("Bearer ", "");
    if (this.rejectedTokens.includes(token)) return Response.json({ code: "PGRST303" }, { status: 401 });
    this.tokens.push(token);
    const table = url.pathname.replace("/rest/v1/", "");
    const request = `${init.method} ${table}`;
    this.requests.push(request);
    if (this.isDown) throw new TypeError("Failed to fetch");
    if (this.isCaptivePortal) return new Response("<h1>Welcome to our Wi-Fi</h1>");
    const { status, body } = this.fixedResponses[request] ?? this.restResponse(request, url, init);
    if (this.losesResponses) throw new TypeError("Failed to fetch");
    if (this.failsAfterStoring) return Response.json({ code: "XX000", message: "oh no" }, { status: 500 });
    return Response.json(body, { status });
  }

  private restResponse(request: string, url: URL, init: RequestInit): FakeResponse {
    const id = url.searchParams.get("id")?.replace("eq.", "") ?? "";
    const row: Row = typeof init.body === "string" ? JSON.parse(init.body) : {};
    switch (request) {
      case "GET waiver_sessions":
        return singleRow(this.sessions.get(id));
      case "GET waiver_templates":
        return singleRow(this.templates.get(id));
      case "GET companies":
        return singleRow(this.company);
      case "GET consent_texts":
        return singleRow(CONSENT);
      case "POST rpc/invite_adult":
        this.invitedAdults.push(row);
        return { status: 200, body: { id: row.invited_id } };
      case "POST waiver_sessions":
        return { status: 201, body: this.openSession(row) };
      default:
        return { status: 201, body: this.sign(row) };
    }
  }

  private noteView(init: RequestInit): Response {
    this.views.push(typeof init.body === "string" && JSON.parse(init.body));
    return new Response(null, { status: 204 });
  }

  private functionResponse(path: string, init: RequestInit): Response {
    if (this.isDown) throw new TypeError("Failed to fetch");
    if (path.endsWith("/email-copy"))
      return this.knowsSecret(init) ? Response.json({ says: this.emailMessage }) : notFound();
    if (path.endsWith("/text-messages")) return Response.json({ offered: this.offersTextMessages });
    if (path.endsWith("/send-invitation")) {
      this.sentInvitations.push(JSON.parse(typeof init.body === "string" ? init.body : "{}"));
      return Response.json(this.invitationResponse.body, { status: this.invitationResponse.status });
    }
    return Response.json(this.filledForm.body, { status: this.filledForm.status });
  }

  private documentResponse(init: RequestInit): Response {
    if (this.isDown) throw new TypeError("Failed to fetch");
    if (!this.knowsSecret(init)) return notFound();
    if (this.isTextTooLong) return Response.json({ code: "document_failed" }, { status: 422 });
    if (this.preparingCount-- > 0) return Response.json({ status: "preparing" }, { status: 202 });
    return new Response("%PDF-1.7", { headers: { "content-type": "application/pdf" } });
  }

  /** The id of a waiver opens nothing without the secret that was sent with the signature. */
  private knowsSecret(init: RequestInit): boolean {
    const { waiver_id, secret } = JSON.parse(typeof init.body === "string" ? init.body : "{}");
    return Boolean(secret) && this.signedWaivers.get(waiver_id)?.document_secret === secret;
  }

  private openSession(row: Row): Row {
    const id = String(row.id);
    const template = this.templates.get(String(row.template_id));
    const newSession = {
      ...SESSION,
      recipient_name: null,
      recipient_email: null,
      template_content: template?.content,
      form: template?.form ?? null,
    };
    if (!this.sessions.has(id))
      this.sessions.set(id, { ...newSession, ...row, template_content: template?.content });
    return this.sessions.get(id) ?? {};
  }

  private sign(row: Row): Row {
    const id = String(row.id);
    if (!this.signedWaivers.has(id)) this.signedWaivers.set(id, row);
    const session = this.sessions.get(String(row.session_id));
    if (session) session.status = "signed";
    return { id, signed_at: "2026-07-01T10:00:00+00:00" };
  }
}

const notFound = () => Response.json({ code: "document_missing" }, { status: 404 });

function singleRow(row: Row | undefined): FakeResponse {
  if (row) return { status: 200, body: row };
  return {
    status: 406,
    body: { code: "PGRST116", message: "Cannot coerce the result to a single JSON object" },
  };
}
