import type { TableRow } from "./table-row";

/**
 * Matches an address, alone or in angle brackets after a name, and the comma or semicolon before the next one. No part
 * can match what the next part begins with, so that a long line that does not match is refused quickly.
 */
const ENTRY =
  /(?:<?([^\s,;<>"@]+@[^\s,;<>"@]+)>?|(?:"((?:[^"\\]|\\.)*)"\s*|([^<>"@]*))<([^\s<>@]+@[^\s<>@]+)>)\s*(?:[,;]|$)/y;

/**
 * Reads addresses that were copied from a mail program, one or several in each line. Returns a row with name
 * and address for each. Returns null if a line has another form, because the text is then a table.
 */
export function addressesOfLines(text: string): TableRow[] | null {
  const rows: TableRow[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const entries = entriesOf(line.trim());
    if (!entries) return null;
    for (const cells of entries) rows.push({ number: rows.length + 1, cells });
  }
  return rows;
}

function entriesOf(line: string): [name: string, email: string][] | null {
  const entries: [string, string][] = [];
  let position = 0;
  while (position < line.length) {
    ENTRY.lastIndex = position;
    const match = ENTRY.exec(line);
    if (!match) return null;
    const [entry, alone, quotedName, plainName = "", address = alone] = match;
    const name = quotedName?.replaceAll(/\\(.)/g, "$1") ?? plainName.trim();
    if (quotedName === undefined && !isPlainName(name)) return null;
    entries.push([name, address ?? ""]);
    position += entry.length;
    while (line[position] === " ") position += 1;
  }
  return entries;
}

/** "Okafor, Gil" is one name. Other separators mean that the line has columns. */
const isPlainName = (name: string): boolean =>
  !/[;\t]/.test(name) && !/^,|,$/.test(name) && name.split(",").length <= 2;
