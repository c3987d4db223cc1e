import { csvLine } from "~/lib/csv";
import type { DirectoryEntry, SessionRow } from "~/lib/database";
import { isoDate, isoMinute } from "~/lib/dates";

export type RecentSession = Pick<
  SessionRow,
  "id" | "template_name" | "recipient_name" | "signer_name" | "status" | "created_at"
>;

export type RecentWaiver = {
  id: string;
  shortId: string;
  guest: string;
  template: string;
  date: string;
  status: "signed" | "pending";
};

export function recentWaiver(session: RecentSession): RecentWaiver {
  return {
    id: session.id,
    shortId: session.id.slice(0, 8),
    guest: session.recipient_name || session.signer_name || "Anonymous",
    template: session.template_name,
    date: isoDate(new Date(session.created_at)),
    status: session.status === "signed" ? "signed" : "pending",
  };
}

export type DirectoryRow = {
  id: string;
  type: "signed" | "pending";
  templateId: string;
  templateName: string;
  name: string;
  email: string;
  status: "signed" | "pending" | "expired";
  at: string | null;
  sessionId: string;
  /** Where it stands in the order it was asked for. */
  place: string;
};

export function directoryRow(entry: DirectoryEntry): DirectoryRow {
  return {
    id: entry.id,
    type: entry.type,
    templateId: entry.template_id,
    templateName: entry.template_name,
    name: entry.name,
    email: entry.email ?? "",
    status: entry.status,
    at: entry.at,
    sessionId: entry.session_id,
    place: entry.place,
  };
}

export const STATES = {
  all: "All Statuses",
  signed: "Signed",
  pending: "Pending",
  expired: "Expired",
} as const;
export const ORDERS = {
  newest: "Newest first",
  oldest: "Oldest first",
  "a-z": "Name A to Z",
  "z-a": "Name Z to A",
} as const;

export type State = keyof typeof STATES;
export type Order = keyof typeof ORDERS;

/** What the directory is asked for; it lives in the address. */
export type Listing = { term: string; state: State; order: Order };

/** What the directory shows to whoever asks for nothing. */
export const EVERYTHING: Listing = { term: "", state: "all", order: "newest" };

export const LONGEST_TERM = 200;

export function listingOf(query: URLSearchParams): Listing {
  return {
    term: (query.get("q") ?? "").slice(0, LONGEST_TERM),
    state: named(STATES, query.get("status"), "all"),
    order: named(ORDERS, query.get("sort"), "newest"),
  };
}

/** Only what differs from the usual is written into the address. */
export function withListing(query: URLSearchParams, { term, state, order }: Listing): URLSearchParams {
  const next = new URLSearchParams(query);
  const said = { q: term, status: state === "all" ? "" : state, sort: order === "newest" ? "" : order };
  for (const [name, value] of Object.entries(said)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

export const isFiltered = ({ term, state }: Listing): boolean => term.trim() !== "" || state !== "all";

function named<Names extends object>(names: Names, asked: string | null, usual: keyof Names): keyof Names {
  return asked !== null && isKeyOf(names, asked) ? asked : usual;
}

const isKeyOf = <Names extends object>(names: Names, name: PropertyKey): name is keyof Names =>
  Object.hasOwn(names, name);

const CSV_HEAD = csvLine(["Template", "Recipient", "Email", "Status", "Date"]);
// Without it a spreadsheet takes the letters for those of another alphabet.
const BYTE_ORDER_MARK = "\uFEFF";

export const csvHead = BYTE_ORDER_MARK + CSV_HEAD;

export function csvRow({ templateName, name, email, status, at }: DirectoryRow): string {
  return csvLine([templateName, name, email, STATES[status], at ? isoMinute(new Date(at)) : "N/A"]);
}
