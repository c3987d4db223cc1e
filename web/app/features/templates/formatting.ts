/** What the buttons above a text do, as pure changes of it. */
export type Marked = { text: string; start: number; end: number };

/** Put `insert` in the place of what is between `from` and `to`, then mark what is between `start` and `end`. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number };

/** Where a line's own words begin: after the signs that make it a heading or an item. */
const LINE = /^(\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,6}[.)]\s+)?)(.*?)(\s*)$/;

/** Bold or soft, and plain again when it was; each line for itself, because emphasis ends with its line. */
export function emphasise({ text, start, end }: Marked, mark: "**" | "_", sample: string): Edit {
  if (start === end) {
    const at = start + mark.length;
    return { from: start, to: end, insert: mark + sample + mark, start: at, end: at + sample.length };
  }
  const [before, after] = [text.slice(start - mark.length, start), text.slice(end, end + mark.length)];
  if (start >= mark.length && before === mark && after === mark) {
    const insert = text.slice(start, end);
    const from = start - mark.length;
    return { from, to: end + mark.length, insert, start: from, end: from + insert.length };
  }
  const insert = text
    .slice(start, end)
    .split("\n")
    .map((line) => emphasisedLine(line, mark))
    .join("\n");
  return { from: start, to: end, insert, start, end: start + insert.length };
}

function emphasisedLine(line: string, mark: string): string {
  const [, signs = "", words = "", blanks = ""] = LINE.exec(line) ?? [];
  if (!words) return line;
  if (words.length > 2 * mark.length && words.startsWith(mark) && words.endsWith(mark))
    return signs + words.slice(mark.length, -mark.length) + blanks;
  return signs + mark + words + mark + blanks;
}

/** Plain, then large, then smaller, then plain again. */
export function heading(marked: Marked): Edit {
  return eachLine(marked, (lines) => {
    const level = /^(#*)/.exec(lines[0] ?? "")?.[1]?.length ?? 0;
    const signs = level === 0 ? "# " : level === 1 ? "## " : "";
    return lines.map((line) => signs + bare(line));
  });
}

export function bullets(marked: Marked): Edit {
  return listed(marked, /^[-*+•]\s+/, () => "- ");
}

export function numbers(marked: Marked): Edit {
  return listed(marked, /^\d{1,6}[.)]\s+/, (index) => `${index + 1}. `);
}

export function place({ start, end }: Marked, word: string): Edit {
  return { from: start, to: end, insert: word, start: start + word.length, end: start + word.length };
}

function listed(marked: Marked, sign: RegExp, signOf: (index: number) => string): Edit {
  return eachLine(marked, (lines) => {
    const isOff = lines.every((line) => !line.trim() || sign.test(line));
    let count = 0;
    return lines.map((line) =>
      line.trim() || lines.length === 1 ? (isOff && line.trim() ? "" : signOf(count++)) + bare(line) : line,
    );
  });
}

function eachLine({ text, start, end }: Marked, change: (lines: string[]) => string[]): Edit {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const to = next < 0 ? text.length : next;
  const insert = change(text.slice(from, to).split("\n")).join("\n");
  const isOneLine = !insert.includes("\n");
  return { from, to, insert, start: isOneLine ? from + insert.length : from, end: from + insert.length };
}

function bare(line: string): string {
  return line.replace(/^\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,6}[.)]\s+)?/, "");
}

/** Through the browser's own typing where it can, so that its undo takes the button back as well. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (!typed(insert)) {
    area.setRangeText(insert, from, to, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

function typed(text: string): boolean {
  // Nothing else writes into a field and keeps its undo.
  return "execCommand" in document && document.execCommand("insertText", false, text);
}
