import { csvLine } from "~/lib/csv";
import type { DirectoryEntryRow, SessionRow } from "~/lib/database";
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

export function toRecentWaiver(session: RecentSession): RecentWaiver {
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
  /** The sort key of the row depends on the requested order. */
  place: string;
};

export function toDirectoryRow(entry: Omit<DirectoryEntryRow, "content" | "signature">): DirectoryRow {
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

export const STATUS_LABELS = {
  all: "All Statuses",
  signed: "Signed",
  pending: "Pending",
  expired: "Expired",
} as const;
export const ORDER_LABELS = {
  newest: "Newest first",
  oldest: "Oldest first",
  "a-z": "Name A to Z",
  "z-a": "Name Z to A",
} as const;

export type State = keyof typeof STATUS_LABELS;
export type Order = keyof typeof ORDER_LABELS;

/** The listing says which waivers the directory shows, and in which order. It is stored in the URL of the page. */
export type Listing = { term: string; state: State; order: Order };

export const DEFAULT_LISTING: Listing = { term: "", state: "all", order: "newest" };

export const MAX_TERM_LENGTH = 200;

export function parseListing(query: URLSearchParams): Listing {
  return {
    term: (query.get("q") ?? "").slice(0, MAX_TERM_LENGTH),
    state: keyOrDefault(STATUS_LABELS, query.get("status"), "all"),
    order: keyOrDefault(ORDER_LABELS, query.get("sort"), "newest"),
  };
}

/** Writes only the values that differ from the default into the query string. */
export function withListing(query: URLSearchParams, { term, state, order }: Listing): URLSearchParams {
  const next = new URLSearchParams(query);
  const parameters = { q: term, status: state === "all" ? "" : state, sort: order === "newest" ? "" : order };
  for (const [name, value] of Object.entries(parameters)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

export const isFiltered = ({ term, state }: Listing): boolean => term.trim() !== "" || state !== "all";

function keyOrDefault<Names extends object>(
  names: Names,
  key: string | null,
  fallback: keyof Names,
): keyof Names {
  return key !== null && isKeyOf(names, key) ? key : fallback;
}

const isKeyOf = <Names extends object>(names: Names, name: PropertyKey): name is keyof Names =>
  Object.hasOwn(names, name);

const CSV_COLUMNS = csvLine(["Template", "Recipient", "Email", "Status", "Date"]);
// Without a byte order mark, spreadsheet programs read the file in the wrong encoding.
const BYTE_ORDER_MARK = "\uFEFF";

export const CSV_HEADER = BYTE_ORDER_MARK + CSV_COLUMNS;

export function csvRow({ templateName, name, email, status, at }: DirectoryRow): string {
  return csvLine([templateName, name, email, STATUS_LABELS[status], at ? isoMinute(new Date(at)) : "N/A"]);
}
