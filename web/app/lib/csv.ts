// A spreadsheet evaluates a cell that starts with one of these characters. A leading apostrophe turns it into text. In many
// countries, spreadsheets also start a new cell at each semicolon, although this file separates cells by commas.
const FORMULA_START = /(^|[;\t\r\n])(?=[=+\-@\t\r])/g;
const NEEDS_QUOTES = /[",\r\n]/;

export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safeText = text.replace(FORMULA_START, "$1'");
  return NEEDS_QUOTES.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
