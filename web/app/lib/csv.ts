// A spreadsheet evaluates a cell that starts with one of these characters. A leading apostrophe turns it into text. In many
// countries, spreadsheets also start a new cell at each semicolon, although this file separates cells by commas. They may ignore
// quotes and spaces before the formula, and some of them treat full-width characters like these.
const FORMULA_START = /(^|[;\t\r\n])(?=[" \u00a0\u3000]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
const NEEDS_QUOTES = /[",\r\n]/;

export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safeText = text.replace(FORMULA_START, "$1'");
  return NEEDS_QUOTES.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
