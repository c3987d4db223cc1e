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
  expires_at: null,
};

export const TEMPLATE = {
  id: "tpl-river",
  name: "River day",
  description: "Half a day on the water",
  content: "I, [PARTICIPANT NAME], join [COMPANY NAME].",
};

export const CONSENT = { version: "2026-11", language: "en", text: "I agree to sign electronically." };

export const RENEWED = { access_token: "renewed", refresh_token: "next", expires_at: 9_999_999_999 };

type Row = Record<string, unknown>;
type Reply = { status: number; body: object };

/** The data service in memory, as far as this page speaks with it: rows by their ids, and the ways it can fail. */
export class DataService {
  sessions = new Map<string, Row>([[SESSION.id, { ...SESSION }]]);
  templates = new Map<string, Row>([[TEMPLATE.id, TEMPLATE]]);
  signed = new Map<string, Row>();
  /** Sessions that were told to be looked at. */
  views: unknown[] = [];
  /** How often the document is still being prepared before it is there. */
  preparing = 0;
  /** What the service says about the mailed copy, and what it read in a filled PDF. */
  copySays = "";
  filledForm: Reply = { status: 200, body: {} };
  /** The company whose people are signed in, and the tokens that count. */
  company: Row | undefined;
  refusedTokens: unknown[] = [];
  tokens: unknown[] = [];
  requests: string[] = [];
  isDown = false;
  /** Never hears what it is sent: a hotel's page that wants to be signed in to answers instead. */
  isAPortal = false;
  /** Stores what it is sent, but its answer never arrives. */
  losesAnswers = false;
  /** Stores what it is sent, and then falls over its own feet. */
  stumbles = false;
  refuses: Partial<Record<string, Reply>> = {};

  constructor() {
    vi.stubGlobal("fetch", (address: string, init: RequestInit) => this.answer(address, init));
  }

  private async answer(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address, "http://cairn.test");
    if (url.pathname.endsWith("/note_waiver_view")) return this.noteView(init);
    if (url.pathname === "/functions/v1/waiver-document") return this.document();
    if (url.pathname.startsWith("/functions/v1/")) return this.function(url.pathname);
    if (url.pathname === "/auth/v1/token") return Response.json(RENEWED);
    const token = new Headers(init.headers).get("Authorization")?.replace("Bearer ", "");
    if (this.refusedTokens.includes(token)) return Response.json({ code: "PGRST303" }, { status: 401 });
    this.tokens.push(token);
    const table = url.pathname.replace("/rest/v1/", "");
    const request = `${init.method} ${table}`;
    this.requests.push(request);
    if (this.isDown) throw new TypeError("Failed to fetch");
    if (this.isAPortal) return new Response("<h1>Welcome to our Wi-Fi</h1>");
    const { status, body } = this.refuses[request] ?? this.reply(request, url, init);
    if (this.losesAnswers) throw new TypeError("Failed to fetch");
    if (this.stumbles) return Response.json({ code: "XX000", message: "oh no" }, { status: 500 });
    return Response.json(body, { status });
  }

  private reply(request: string, url: URL, init: RequestInit): Reply {
    const id = url.searchParams.get("id")?.replace("eq.", "") ?? "";
    const sent: Row = typeof init.body === "string" ? JSON.parse(init.body) : {};
    switch (request) {
      case "GET waiver_sessions":
        return one(this.sessions.get(id));
      case "GET waiver_templates":
        return one(this.templates.get(id));
      case "GET companies":
        return one(this.company);
      case "GET consent_texts":
        return one(CONSENT);
      case "POST waiver_sessions":
        return { status: 201, body: this.open(sent) };
      default:
        return { status: 201, body: this.sign(sent) };
    }
  }

  private noteView(init: RequestInit): Response {
    this.views.push(typeof init.body === "string" && JSON.parse(init.body));
    return new Response(null, { status: 204 });
  }

  private function(path: string): Response {
    if (this.isDown) throw new TypeError("Failed to fetch");
    if (path.endsWith("/email-copy")) return Response.json({ says: this.copySays });
    return Response.json(this.filledForm.body, { status: this.filledForm.status });
  }

  private document(): Response {
    if (this.isDown) throw new TypeError("Failed to fetch");
    if (this.preparing-- > 0) return Response.json({ status: "preparing" }, { status: 202 });
    return new Response("%PDF-1.7", { headers: { "content-type": "application/pdf" } });
  }

  private open(sent: Row): Row {
    const id = String(sent.id);
    const template = this.templates.get(String(sent.template_id));
    const opened = {
      ...SESSION,
      recipient_name: null,
      recipient_email: null,
      template_content: template?.content,
    };
    if (!this.sessions.has(id))
      this.sessions.set(id, { ...opened, ...sent, template_content: template?.content });
    return this.sessions.get(id) ?? {};
  }

  private sign(sent: Row): Row {
    const id = String(sent.id);
    if (!this.signed.has(id)) this.signed.set(id, sent);
    const session = this.sessions.get(String(sent.session_id));
    if (session) session.status = "signed";
    return { id, signed_at: "2026-07-01T10:00:00+00:00" };
  }
}

function one(row: Row | undefined): Reply {
  if (row) return { status: 200, body: row };
  return {
    status: 406,
    body: { code: "PGRST116", message: "Cannot coerce the result to a single JSON object" },
  };
}
