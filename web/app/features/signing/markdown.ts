/**
 * Parses the small subset of Markdown that waivers need. It supports neither HTML nor links, so content can only become
 * text. Anything it does not recognise stays exactly as written, because that is what the guest signs.
 */
export type Span = { kind: "text" | "strong" | "emphasis" | "break"; text: string };

/** `number` is a heading's level or the first number of a list. */
export type Block = {
  kind: "heading" | "paragraph" | "bullets" | "numbers" | "rule";
  number: number;
  items: Span[][];
};

/** In a draft, each item is a list of lines whose emphasis is not parsed yet. */
type BlockDraft = Omit<Block, "items"> & { items: string[][] };

export function parseMarkdown(markdown: string): Block[] {
  const drafts: BlockDraft[] = [];
  let lastBlock: BlockDraft | undefined;
  for (const line of markdown.split(/\r\n?|\n/).map((text) => text.trim())) {
    const newBlock = startBlock(line);
    if (!line) lastBlock = undefined;
    else if (newBlock && lastBlock && continuesList(lastBlock, newBlock))
      lastBlock.items.push(...newBlock.items);
    else if (!newBlock && lastBlock) lastBlock.items.at(-1)?.push(line);
    else {
      lastBlock = newBlock ?? { kind: "paragraph", number: 1, items: [[line]] };
      drafts.push(lastBlock);
    }
    // A heading or a rule ends with its line.
    if (lastBlock?.kind === "heading" || lastBlock?.kind === "rule") lastBlock = undefined;
  }
  return drafts.map((draft) => ({ ...draft, items: draft.items.map(parseLines) }));
}

/** Returns the block that the line starts, or null if it is a line of a paragraph. */
function startBlock(line: string): BlockDraft | null {
  const [, marks, title] = /^(#{1,6})\s+(.+)$/.exec(line) ?? [];
  if (marks && title) return { kind: "heading", number: marks.length, items: [[title]] };
  if (/^(-{3,}|\*{3,})$/.test(line)) return { kind: "rule", number: 0, items: [] };
  const [, point] = /^[-*+•]\s+(.+)$/.exec(line) ?? [];
  if (point) return { kind: "bullets", number: 0, items: [[point]] };
  const [, number, clause] = /^(\d{1,6})[.)]\s+(.+)$/.exec(line) ?? [];
  return clause ? { kind: "numbers", number: Number(number), items: [[clause]] } : null;
}

/** A number out of sequence starts a new list, so that every item shows the number its author gave it. */
function continuesList(list: BlockDraft, next: BlockDraft): boolean {
  if (list.kind !== next.kind) return false;
  return list.kind === "bullets" || list.number + list.items.length === next.number;
}

function parseLines(lines: string[]): Span[] {
  return lines.flatMap((line, index) =>
    index ? [{ kind: "break" as const, text: "\n" }, ...parseSpans(line)] : parseSpans(line),
  );
}

// The groups are an escaped character, text between double asterisks, text between asterisks, the character before an
// underscore, and text between underscores. The pattern has no look-behind, because an old phone that does not support it
// could not load the page. Its repetitions are bounded, because a long line of asterisks would otherwise be scanned to
// its end from each asterisk.
const MARKS =
  /\\([\\*_#+-])|\*\*(\S|\S.{0,400}?\S)\*\*|\*([^\s*]|[^\s*].{0,400}?[^\s*])\*|(^|\W)_([^\s_]|[^\s_].{0,400}?[^\s_])_(?!\w)/;

function parseSpans(line: string): Span[] {
  const spans: Span[] = [];
  const add = (kind: Span["kind"], text = "") => {
    if (text) spans.push({ kind, text });
  };
  let remaining = line;
  for (let match = MARKS.exec(remaining); match; match = MARKS.exec(remaining)) {
    const [whole, escaped, strong, starred, before = "", underlined] = match;
    add("text", remaining.slice(0, match.index) + before + (escaped ?? ""));
    add("strong", strong);
    add("emphasis", starred ?? underlined);
    remaining = remaining.slice(match.index + whole.length);
  }
  add("text", remaining);
  return spans;
}
