/**
 * The little Markdown that waivers need, read into plain data. It knows no HTML and no links, so text can only ever
 * become text; what it does not recognise stays as it was written, because that is what gets signed.
 */
export type Span = { kind: "text" | "strong" | "emphasis" | "break"; text: string };

/** `number` is a heading's level or the first number of a list. */
export type Block = {
  kind: "heading" | "paragraph" | "bullets" | "numbers" | "rule";
  number: number;
  items: Span[][];
};

type Draft = Omit<Block, "items"> & { items: string[][] };

export function read(markdown: string): Block[] {
  const drafts: Draft[] = [];
  let last: Draft | undefined;
  for (const line of markdown.split(/\r\n?|\n/).map((text) => text.trim())) {
    const begun = begin(line);
    if (!line) last = undefined;
    else if (begun && last && continues(last, begun)) last.items.push(...begun.items);
    else if (!begun && last) last.items.at(-1)?.push(line);
    else drafts.push((last = begun ?? { kind: "paragraph", number: 1, items: [[line]] }));
    if (last?.kind === "heading" || last?.kind === "rule") last = undefined;
  }
  return drafts.map((draft) => ({ ...draft, items: draft.items.map(readLines) }));
}

function begin(line: string): Draft | null {
  const [, marks, title] = /^(#{1,6})\s+(.+)$/.exec(line) ?? [];
  if (marks && title) return { kind: "heading", number: marks.length, items: [[title]] };
  if (/^(-{3,}|\*{3,})$/.test(line)) return { kind: "rule", number: 0, items: [] };
  const [, point] = /^[-*+•]\s+(.+)$/.exec(line) ?? [];
  if (point) return { kind: "bullets", number: 0, items: [[point]] };
  const [, number, clause] = /^(\d{1,6})[.)]\s+(.+)$/.exec(line) ?? [];
  return clause ? { kind: "numbers", number: Number(number), items: [[clause]] } : null;
}

/** A number out of order starts a list of its own, so that every item shows the number its author gave it. */
function continues(list: Draft, next: Draft): boolean {
  if (list.kind !== next.kind) return false;
  return list.kind === "bullets" || list.number + list.items.length === next.number;
}

function readLines(lines: string[]): Span[] {
  return lines.flatMap((line, index) =>
    index ? [{ kind: "break" as const, text: "\n" }, ...readSpans(line)] : readSpans(line),
  );
}

// No look-behind: one in the source stops the whole page on phones that do not know it. And no unbounded run: a long
// line full of stars would be searched to its end from every star.
const MARKS =
  /\\([\\*_#+-])|\*\*(\S|\S.{0,400}?\S)\*\*|\*([^\s*]|[^\s*].{0,400}?[^\s*])\*|(^|\W)_([^\s_]|[^\s_].{0,400}?[^\s_])_(?!\w)/;

function readSpans(line: string): Span[] {
  const spans: Span[] = [];
  const add = (kind: Span["kind"], text = "") => {
    if (text) spans.push({ kind, text });
  };
  let rest = line;
  for (let found = MARKS.exec(rest); found; found = MARKS.exec(rest)) {
    const [whole, escaped, strong, starred, before = "", underlined] = found;
    add("text", rest.slice(0, found.index) + before + (escaped ?? ""));
    add("strong", strong);
    add("emphasis", starred ?? underlined);
    rest = rest.slice(found.index + whole.length);
  }
  add("text", rest);
  return spans;
}
