/** This is a text with its selected range. The functions below compute what a toolbar button changes in it. */
export type Selection = { text: string; start: number; end: number };

/** An edit replaces the text between `from` and `to` with `insert` and then selects from `start` to `end`. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number };

/** Splits a line into its heading or list marker, its text and trailing spaces. */
const LINE = /^(\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,6}[.)]\s+)?)(.*?)(\s*)$/;

/**
 * Adds or removes emphasis. Each line is treated separately, because emphasis cannot span lines. If nothing is selected,
 * `sample` is inserted and selected.
 */
export function toggleEmphasis({ text, start, end }: Selection, mark: "**" | "_", sample: string): Edit {
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
    .map((line) => toggleLineEmphasis(line, mark))
    .join("\n");
  return { from: start, to: end, insert, start, end: start + insert.length };
}

function toggleLineEmphasis(line: string, mark: string): string {
  const [, marker = "", text = "", spaces = ""] = LINE.exec(line) ?? [];
  if (!text) return line;
  if (text.length > 2 * mark.length && text.startsWith(mark) && text.endsWith(mark))
    return marker + text.slice(mark.length, -mark.length) + spaces;
  return marker + mark + text + mark + spaces;
}

/** Cycles through no heading, level 1 and level 2. */
export function toggleHeading(selection: Selection): Edit {
  return changeLines(selection, (lines) => {
    const level = /^(#*)/.exec(lines[0] ?? "")?.[1]?.length ?? 0;
    const marker = ["# ", "## "][level] ?? "";
    return lines.map((line) => marker + withoutMarker(line));
  });
}

export function toggleBullets(selection: Selection): Edit {
  return toggleList(selection, /^[-*+•]\s+/, () => "- ");
}

export function toggleNumbers(selection: Selection): Edit {
  return toggleList(selection, /^\d{1,6}[.)]\s+/, (index) => `${index + 1}. `);
}

export function insertText({ start, end }: Selection, insert: string): Edit {
  const cursor = start + insert.length;
  return { from: start, to: end, insert, start: cursor, end: cursor };
}

function toggleList(selection: Selection, marker: RegExp, markerOf: (index: number) => string): Edit {
  return changeLines(selection, (lines) => {
    const isList = lines.every((line) => !line.trim() || marker.test(line));
    let count = 0;
    return lines.map((line) => {
      const isBlank = !line.trim();
      // A blank line gets a marker only if it is the only line, so that a new list can be started on it.
      if (isBlank && lines.length > 1) return line;
      if (isList && !isBlank) return withoutMarker(line);
      const newMarker = markerOf(count);
      count += 1;
      return newMarker + withoutMarker(line);
    });
  });
}

/**
 * Changes the lines that the selection touches. If that is a single line, the cursor is at its end afterwards. Several
 * lines are selected.
 */
function changeLines({ text, start, end }: Selection, change: (lines: string[]) => string[]): Edit {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const insert = change(text.slice(from, to).split("\n")).join("\n");
  const isOneLine = !insert.includes("\n");
  return { from, to, insert, start: isOneLine ? from + insert.length : from, end: from + insert.length };
}

function withoutMarker(line: string): string {
  return line.replace(/^\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,6}[.)]\s+)?/, "");
}

/** Inserts the text as if it was typed, if the browser supports that, so that Undo also reverts this edit. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (!insertAsTyped(insert)) {
    area.setRangeText(insert, from, to, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

function insertAsTyped(text: string): boolean {
  // This method is deprecated, but there is no other way to change a field and keep its undo history.
  return "execCommand" in document && document.execCommand("insertText", false, text);
}
