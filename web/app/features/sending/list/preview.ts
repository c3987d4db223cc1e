import { storedFields, type Changes, type Listed } from "./build-rows";
import { guessColumns, guessRoles, withRole, type Columns, type Role } from "./columns";
import { parseTable, type Delimiter, type Table } from "./parse-table";
import type { TableRow } from "./table-row";

/** A parsed list, what its columns contain, and what the user has changed. */
export type Preview = { text: string; table: Table; columns: Columns; changes: Changes };

const NO_CHANGES: Changes = { edits: new Map(), choices: new Map() };

const cellsOf = ({ rows }: Table): string[][] => rows.map(({ cells }) => cells);

export function makePreview(text: string, withPhoneNumbers: boolean, delimiter?: Delimiter): Preview {
  const table = parseTable(text, delimiter);
  // Lines of a mail program have a name and an address, whatever they look like.
  const columns: Columns =
    table.delimiter === null
      ? { hasHeading: false, roles: ["name", "email"] }
      : guessColumns(cellsOf(table), withPhoneNumbers);
  return { text, table, columns, changes: NO_CHANGES };
}

/** Guesses the columns again, because their heading is now part of the list or no longer is. */
export function withHeading(preview: Preview, hasHeading: boolean, withPhoneNumbers: boolean): Preview {
  const roles = guessRoles(cellsOf(preview.table), hasHeading, withPhoneNumbers);
  return { ...preview, columns: { hasHeading, roles } };
}

export const withColumn = (preview: Preview, column: number, role: Role): Preview => ({
  ...preview,
  columns: { ...preview.columns, roles: withRole(preview.columns.roles, column, role) },
});

/** The edited row is checked like any other, so what was chosen for it before no longer counts. */
export function withEdit(preview: Preview, number: number, listed: Listed): Preview {
  const edits = new Map(preview.changes.edits).set(number, storedFields(listed));
  return { ...preview, changes: { edits, choices: withoutKey(preview.changes.choices, number) } };
}

/** Without a choice, the row is sent if nothing is wrong with it. */
export function withChoice(
  preview: Preview,
  numbers: number[],
  choice: "leaveOut" | "sendAnyway" | null,
): Preview {
  const choices = new Map(preview.changes.choices);
  for (const number of numbers) {
    if (choice) choices.set(number, choice);
    else choices.delete(number);
  }
  return { ...preview, changes: { ...preview.changes, choices } };
}

function withoutKey<Value>(map: ReadonlyMap<number, Value>, key: number): Map<number, Value> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/** Keeps what the user has changed in those rows that are the same in the new list. */
export function withChangesOf(previous: Preview, next: Preview): Preview {
  const numbers = Map.groupBy(previous.table.rows, keyOf);
  const edits = new Map<number, Listed>();
  const choices = new Map<number, "leaveOut" | "sendAnyway">();
  for (const row of next.table.rows) {
    // Equal rows are matched in their order, so that a choice for the second of them does not concern the first.
    const before = numbers.get(keyOf(row))?.shift()?.number ?? 0;
    const edit = previous.changes.edits.get(before);
    const choice = previous.changes.choices.get(before);
    if (edit) edits.set(row.number, edit);
    if (choice) choices.set(row.number, choice);
  }
  return { ...next, changes: { edits, choices } };
}

const keyOf = ({ cells }: TableRow): string => JSON.stringify(cells);

/** Writes rows as a table, so that those that were not sent can be fixed in a new preview. */
export function tableText(rows: Listed[], withPhoneNumbers: boolean): string {
  const lines = rows.map(({ name, email, phone }) => [name, email, ...(withPhoneNumbers ? [phone] : [])]);
  const heading = ["Name", "Email", ...(withPhoneNumbers ? ["Mobile number"] : [])];
  return [heading, ...lines].map((cells) => cells.map(quoted).join(",")).join("\n");
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
