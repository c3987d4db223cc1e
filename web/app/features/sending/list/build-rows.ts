import { INVALID_PHONE, isPhoneNumber } from "../phone";
import type { Columns, Role } from "./columns";
import type { TableRow } from "./table-row";
import {
  ADDRESS,
  addressProblem,
  cleanAddress,
  cleanLine,
  inSpokenOrder,
  nameProblem,
} from "./stored-recipient";

export const MAX_ROWS = 500;

export type Listed = { name: string; email: string; phone: string };

/** What the user has changed in the preview, by the number of the row. */
export type Changes = {
  edits: ReadonlyMap<number, Listed>;
  choices: ReadonlyMap<number, "leaveOut" | "sendAnyway">;
};

/**
 * `ready` rows are sent. An `invalid` row has to be fixed. The address of a `repeated` row is also in an
 * earlier row. The recipient of a `waiting` row was sent the waiver before and has not signed it yet. The
 * user can send both of these anyway. A `leftOut` row was left out by the user.
 */
export type RowState = "ready" | "invalid" | "repeated" | "waiting" | "leftOut";

export type ListRow = Listed & { number: number; state: RowState; reason?: string };

type Options = {
  columns: Columns;
  changes: Changes;
  withPhoneNumbers: boolean;
  /** The addresses of recipients who have not signed this template yet, with the time when it was sent. */
  waitingSince?: ReadonlyMap<string, string>;
  sayWhen?: (time: string) => string;
};

/** Returns each row as it will be stored, and whether it is sent. */
export function buildRows(rows: TableRow[], options: Options): ListRow[] {
  const readyRows = new Map<string, ListRow>();
  return rows.slice(options.columns.hasHeading ? 1 : 0).map(({ number, cells }) => {
    const listed = options.changes.edits.get(number) ?? listedOf(cells, options.columns.roles);
    const row = { number, ...listed, ...stateOf(number, listed, readyRows, options) };
    if (row.state === "ready" && !readyRows.has(row.email)) readyRows.set(row.email, row);
    return row;
  });
}

/** Returns the fields as they are stored. */
export function storedFields({ name, email, phone }: Listed): Listed {
  return { name: inSpokenOrder(cleanLine(name)), email: cleanAddress(email), phone: cleanLine(phone) };
}

function listedOf(cells: string[], roles: Role[]): Listed {
  const cellOf = (role: Role) => withoutApostrophe(cells[roles.indexOf(role)] ?? "");
  const { address, rest } = splitAddress(cellOf("email"));
  const names = [cellOf("firstName"), cellOf("lastName")].filter(Boolean).join(" ") || cellOf("name");
  return storedFields({ name: names || rest, email: address, phone: cellOf("phone") });
}

/** Spreadsheets use a leading apostrophe to mark a cell as text. */
const withoutApostrophe = (cell: string): string => cell.replace(/^'(?=[=+\-@\d])/, "");

/** A cell may contain a name beside the address, as in "Gil Moreau <gil@example.com>". */
function splitAddress(cell: string): { address: string; rest: string } {
  const parts = cell.replace(/^mailto:/i, "").split(/([\s<>()"]+)/);
  const addresses = parts.filter((part) => ADDRESS.test(part));
  const [address] = addresses;
  if (address === undefined || addresses.length > 1) return { address: parts.join(""), rest: "" };
  const rest = parts.filter((part) => part !== address).map((part) => part.replaceAll(/[<>()"]+/g, " "));
  return {
    address: address.replace(/[,;.]+$/, ""),
    rest: rest.join("").replaceAll(/^[\s,;]+|[\s,;]+$/g, ""),
  };
}

type State = { state: RowState; reason?: string };

function stateOf(number: number, listed: Listed, readyRows: Map<string, ListRow>, options: Options): State {
  const choice = options.changes.choices.get(number);
  if (choice === "leaveOut") return { state: "leftOut" };
  const problem = problemOf(listed, options.withPhoneNumbers);
  if (problem) return { state: "invalid", reason: problem };
  if (choice === "sendAnyway") return { state: "ready" };
  const earlier = readyRows.get(listed.email);
  if (earlier) return { state: "repeated", reason: repetition(earlier, listed) };
  const since = options.waitingSince?.get(listed.email);
  if (since === undefined) return { state: "ready" };
  const when = options.sayWhen?.(since) ?? "before";
  return { state: "waiting", reason: `Got this waiver ${when} and has not signed it yet.` };
}

export function problemOf({ name, email, phone }: Listed, withPhoneNumbers: boolean): string | undefined {
  const problems = [
    nameProblem(name),
    addressProblem(email),
    withPhoneNumbers && phone && !isPhoneNumber(phone) ? INVALID_PHONE : undefined,
  ];
  return problems.filter(Boolean).join(" ") || undefined;
}

const repetition = (earlier: ListRow, { name }: Listed): string =>
  earlier.name.toLowerCase() === name.toLowerCase()
    ? `The same person as in row ${earlier.number}.`
    : `The same address as ${earlier.name} in row ${earlier.number}.`;

/** A repeated or waiting row is not sent, unless the user chooses to send it anyway. */
export const canSendAnyway = ({ state }: ListRow): boolean => state === "repeated" || state === "waiting";

export const needsAttention = (row: ListRow): boolean => row.state === "invalid" || canSendAnyway(row);

const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`);

export function summary(rows: ListRow[]): string {
  const count = (state: RowState) => rows.filter((row) => row.state === state).length;
  const ready = count("ready");
  const parts = [
    ready === rows.length
      ? `${allPeople(ready)} will get the waiver.`
      : `${ready} of ${people(rows.length)} will get the waiver.`,
    counted(count("invalid"), "row needs to be fixed.", "rows need to be fixed."),
    counted(count("repeated"), "is listed twice.", "are listed twice."),
    counted(count("waiting"), "has the waiver already.", "have the waiver already."),
    counted(count("leftOut"), "is left out.", "are left out."),
  ];
  return parts.filter(Boolean).join(" ");
}

const allPeople = (count: number): string => (count === 1 ? "1 person" : `All ${count} people`);

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? "" : `${count} ${count === 1 ? one : many}`;

/** Says why the list as a whole cannot be sent. Returns undefined if it can be sent. */
export function listProblem(rowCount: number): string | undefined {
  if (rowCount === 0) return "Please add at least one person.";
  if (rowCount <= MAX_ROWS) return undefined;
  return `This list has ${rowCount} rows. Please send at most ${MAX_ROWS} at once: split the list, and send one part after the other.`;
}
