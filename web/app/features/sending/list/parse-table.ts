import { addressesOfLines } from "./address-lines";
import { ADDRESS } from "./stored-recipient";
import type { TableRow } from "./table-row";

export type Delimiter = "\t" | ";" | ",";

/** `delimiter` is null for lines as mail programs write them: `Gil Moreau <gil@example.com>`. */
export type Table = { rows: TableRow[]; delimiter: Delimiter | null };

const DELIMITERS: Delimiter[] = ["\t", ";", ","];
const SAMPLE_ROWS = 50;
const MAX_COLUMNS = 30;

/** Parses a pasted list or the text of a CSV file. Without a `delimiter`, the one that fits best is chosen. */
export function parseTable(text: string, delimiter?: Delimiter): Table {
  const { content, declared } = withoutPreamble(text);
  const chosen = delimiter ?? declared;
  const addresses = chosen ? null : addressesOfLines(content);
  if (addresses) return { rows: addresses, delimiter: null };
  const best = chosen ?? bestDelimiter(content);
  return { rows: withoutBlanks(parseRows(content, best)), delimiter: best };
}

/** Excel writes and reads a first line such as `sep=;`, which names the delimiter. */
function withoutPreamble(text: string): { content: string; declared: Delimiter | undefined } {
  const content = text.replace(/^\u{FEFF}/u, "");
  const match = /^"?sep=([;,\t])"?(?:\r\n?|\n)/i.exec(content);
  if (!match) return { content, declared: undefined };
  return {
    content: content.slice(match[0].length),
    declared: DELIMITERS.find((delimiter) => delimiter === match[1]),
  };
}

/**
 * Returns the delimiter with which the most rows have a cell that is an address. Of several such delimiters,
 * it returns the one with which the most rows have the same number of cells.
 */
function bestDelimiter(text: string): Delimiter {
  let best: Delimiter = ",";
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(withoutBlanks(parseRows(text, delimiter, SAMPLE_ROWS)));
    if (score <= bestScore) continue;
    best = delimiter;
    bestScore = score;
  }
  return best;
}

function scoreOf(rows: TableRow[]): number {
  const lengths = new Map<number, number>();
  let rowsWithAddress = 0;
  for (const { cells } of rows) {
    if (cells.length < 2) continue;
    lengths.set(cells.length, (lengths.get(cells.length) ?? 0) + 1);
    if (cells.some((cell) => ADDRESS.test(cell.trim()))) rowsWithAddress += 1;
  }
  return rowsWithAddress * (SAMPLE_ROWS + 1) + Math.max(0, ...lengths.values());
}

const withoutBlanks = (rows: string[][]): TableRow[] =>
  rows
    .map((cells, index) => ({
      number: index + 1,
      cells: cells.slice(0, MAX_COLUMNS).map((cell) => cell.trim()),
    }))
    .filter(({ cells }) => cells.some(Boolean));

function parseRows(text: string, delimiter: Delimiter, maxRows = Infinity): string[][] {
  const rows: string[][] = [];
  let position = 0;
  while (position < text.length && rows.length < maxRows) {
    const row = parseRow(text, position, delimiter);
    rows.push(row.cells);
    position = row.end;
  }
  return rows;
}

/** Parses one row. `end` is where the next one starts. */
function parseRow(text: string, start: number, delimiter: Delimiter): { cells: string[]; end: number } {
  const cells: string[] = [];
  let position = start;
  for (;;) {
    const cell = parseCell(text, position, delimiter);
    cells.push(cell.value);
    position = cell.end;
    if (text[position] !== delimiter) break;
    position += 1;
  }
  const lineBreak = text.startsWith("\r\n", position) ? 2 : 1;
  return { cells, end: position + lineBreak };
}

/** `end` is the position of the delimiter, of the line break, or of the end of the text. */
function parseCell(text: string, start: number, delimiter: Delimiter): { value: string; end: number } {
  const quoted = parseQuoted(text, start);
  const from = quoted?.end ?? start;
  const end = endOfPlain(text, from, delimiter);
  // Characters after the closing quote do not belong there. They are kept, so that nothing gets lost.
  return { value: (quoted?.value ?? "") + text.slice(from, end), end };
}

/** Returns null if there is no quoted text. A quote that is never closed is an ordinary character. */
function parseQuoted(text: string, start: number): { value: string; end: number } | null {
  let position = start;
  while (text[position] === " ") position += 1;
  if (text[position] !== '"') return null;
  let value = "";
  for (;;) {
    const close = text.indexOf('"', position + 1);
    if (close === -1) return null;
    value += text.slice(position + 1, close);
    if (text[close + 1] !== '"') return { value, end: close + 1 };
    value += '"';
    position = close + 1;
  }
}

function endOfPlain(text: string, start: number, delimiter: Delimiter): number {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return end;
}
