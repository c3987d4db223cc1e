import type { DirectoryEntryRow, SessionRow, SignedWaiverRow } from "~/lib/database";
import { isoDate } from "~/lib/dates";
import { isPast } from "~/lib/signing";
import { paths } from "~/paths";

type RecentSessionRow = Pick<
  SessionRow,
  | "id"
  | "template_name"
  | "recipient_name"
  | "signer_name"
  | "status"
  | "created_at"
  | "expires_at"
  | "revoked_at"
>;

/** A session as the dashboard shows it under "Recent Waivers". */
export type RecentSession = {
  id: string;
  shortId: string;
  guest: string;
  template: string;
  createdAt: string;
  date: string;
  status: "signed" | "pending" | "expired" | "cancelled" | "revoked";
};

export function toRecentSession(session: RecentSessionRow, now = new Date()): RecentSession {
  return {
    id: session.id,
    shortId: session.id.slice(0, 8),
    guest: session.recipient_name || session.signer_name || "Anonymous",
    template: session.template_name,
    createdAt: session.created_at,
    date: isoDate(new Date(session.created_at)),
    status: displayedStatus(session, now),
  };
}

/** The stored status says neither that a session has expired nor that its waiver was revoked. */
export function displayedStatus(
  { status, expires_at, revoked_at }: Pick<SessionRow, "status" | "expires_at" | "revoked_at">,
  now: Date,
): RecentSession["status"] {
  if (status === "signed") return revoked_at ? "revoked" : "signed";
  if (status === "cancelled") return "cancelled";
  return isPast(expires_at, now) ? "expired" : "pending";
}

type RecordStates = Pick<SignedWaiverRow, "erased_at" | "revoked_at" | "superseded_by">;

/** Returns the status of a signed waiver. */
export function recordStatus({ erased_at, revoked_at, superseded_by }: RecordStates) {
  if (erased_at) return "erased";
  if (!revoked_at) return "signed";
  return superseded_by ? "superseded" : "revoked";
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Returns which waiver a page shows, or null if the URL does not contain a valid id of a session. */
export function waiverReference(id: string | undefined, query: URLSearchParams) {
  const recordId = query.get("record");
  if (!id || !UUID.test(id)) return null;
  return { sessionId: id, recordId: recordId !== null && UUID.test(recordId) ? recordId : null };
}

/** Links from the list to a waiver have this state, so that the page of the waiver can link back to the same list. */
export const fromList = (listSearch: string) => ({ listSearch });

/** Returns the query string of the list from which a waiver was opened, or null if it was opened from elsewhere. */
export function listSearchOf(locationState: unknown): string | null {
  if (typeof locationState !== "object" || locationState === null || !("listSearch" in locationState))
    return null;
  return typeof locationState.listSearch === "string" ? locationState.listSearch : null;
}

/** A row of Waiver Management: a waiver (type "signed"), or a session that is not signed (type "pending"). */
export type DirectoryRow = {
  /** The id of the waiver or of the session, depending on the type. */
  id: string;
  type: "signed" | "pending";
  templateId: string;
  templateName: string;
  name: string;
  email: string;
  status: DirectoryEntryRow["status"];
  /** When the waiver was signed, or when the session was created. */
  at: string | null;
  sessionId: string;
  /** The names of the minors for whom the waiver was signed. */
  minors: string[];
  /** What staff should know about the people of the waiver, for example "Asthma". */
  flags: string[];
  /** The value by which the server sorted the row. A request for the next page contains that of the last row. */
  sortKey: string;
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
    minors: entry.minors,
    flags: entry.flags,
    sortKey: entry.place,
  };
}

/** Returns the path of one signed waiver. A session that was signed more than once has several. */
export const recordPath = (sessionId: string, recordId: string): string =>
  `${paths.waiver(sessionId)}?record=${encodeURIComponent(recordId)}`;

export const rowPath = ({ type, sessionId, id }: DirectoryRow): string =>
  type === "signed" ? recordPath(sessionId, id) : paths.waiver(sessionId);

export const STATUS_LABELS = {
  all: "All Statuses",
  signed: "Signed",
  pending: "Pending",
  expired: "Expired",
  cancelled: "Cancelled",
  revoked: "Revoked",
} as const;
export const ORDER_LABELS = {
  newest: "Newest first",
  oldest: "Oldest first",
  "a-z": "Name A to Z",
  "z-a": "Name Z to A",
} as const;

export type StatusFilter = keyof typeof STATUS_LABELS;
export type Order = keyof typeof ORDER_LABELS;

/** Says which rows the directory shows, and in which order. It is stored in the URL of the page. */
export type Listing = { term: string; status: StatusFilter; order: Order } & PeopleFilters;

/** Filters that only some lists have. An empty `flag` means any flag. `question` and `answer` are set together. */
export type PeopleFilters = {
  template?: string | undefined;
  flag?: string | undefined;
  question?: string | undefined;
  answer?: string | undefined;
};

export const DEFAULT_LISTING: Listing = { term: "", status: "all", order: "newest" };

export const MAX_TERM_LENGTH = 200;

export function parseListing(query: URLSearchParams): Listing {
  return {
    term: (query.get("q") ?? "").slice(0, MAX_TERM_LENGTH),
    status: keyOrDefault(STATUS_LABELS, query.get("status"), "all"),
    order: keyOrDefault(ORDER_LABELS, query.get("sort"), "newest"),
    ...parsePeopleFilters(query),
  };
}

function parsePeopleFilters(query: URLSearchParams): PeopleFilters {
  const template = query.get("template") || undefined;
  const question = (template && query.get("question")) || undefined;
  const answer = (question && query.get("answer")) || undefined;
  return {
    ...(template && { template }),
    ...(query.has("flag") && { flag: query.get("flag") ?? "" }),
    ...(question && answer && { question, answer }),
  };
}

/** Writes only the values that differ from the default into the query string. */
export function withListing(query: URLSearchParams, listing: Listing): URLSearchParams {
  const next = new URLSearchParams(query);
  const { term, status, order, template, flag, question, answer } = listing;
  const parameters = {
    q: term || undefined,
    status: status === "all" ? undefined : status,
    sort: order === "newest" ? undefined : order,
    template,
    flag,
    question,
    answer,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export const isFiltered = (listing: Listing): boolean =>
  listing.term.trim() !== "" || listing.status !== "all" || peopleFilterCount(listing) > 0;

/** A question and its answer are one filter. */
export const peopleFilterCount = ({ template, flag, question }: PeopleFilters): number =>
  [template, flag, question].filter((filter) => filter !== undefined).length;

export const NO_PEOPLE_FILTERS = {
  template: undefined,
  flag: undefined,
  question: undefined,
  answer: undefined,
} as const;

export const NO_FILTERS = { term: "", status: "all", ...NO_PEOPLE_FILTERS } as const;

function keyOrDefault<Labels extends object>(
  labels: Labels,
  key: string | null,
  fallback: keyof Labels,
): keyof Labels {
  return key !== null && isKeyOf(labels, key) ? key : fallback;
}

const isKeyOf = <Labels extends object>(labels: Labels, key: PropertyKey): key is keyof Labels =>
  Object.hasOwn(labels, key);
