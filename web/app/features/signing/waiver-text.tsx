import { Fragment, useMemo, type ReactNode } from "react";
import "./waiver-text.css";
import { read, type Block, type Span } from "./markdown";
import { pieces, type Names } from "./model";

type Props = { content: string; names: Names; headingLevel?: 2 | 3 };

/** The words of the waiver as real text, its blanks filled as the signer types. */
export function WaiverText({ content, names, headingLevel = 2 }: Props) {
  // Read before the names go in, so that a name is never taken for Markdown.
  const blocks = useMemo(() => read(content), [content]);
  return (
    <div className="waiver-text">
      {blocks.map((block, index) => (
        <Fragment key={index}>{renderBlock(block, names, headingLevel)}</Fragment>
      ))}
    </div>
  );
}

const HEADINGS = ["h2", "h3", "h4", "h5", "h6"] as const;

function renderBlock(block: Block, names: Names, headingLevel: number): ReactNode {
  const [first = []] = block.items;
  if (block.kind === "rule") return <hr />;
  if (block.kind === "paragraph") return <p dir="auto">{renderSpans(first, names)}</p>;
  if (block.kind === "heading") {
    const Heading = HEADINGS[block.number + headingLevel - 3] ?? "h6";
    return <Heading dir="auto">{renderSpans(first, names)}</Heading>;
  }
  const items = block.items.map((spans, index) => (
    <li key={index} dir="auto">
      {renderSpans(spans, names)}
    </li>
  ));
  return block.kind === "bullets" ? <ul>{items}</ul> : <ol start={block.number}>{items}</ol>;
}

const TAGS = { text: Fragment, strong: "strong", emphasis: "em" } as const;

function renderSpans(spans: Span[], names: Names): ReactNode {
  return spans.map((span, index) => {
    if (span.kind === "break") return <br key={index} />;
    const Tag = TAGS[span.kind];
    return <Tag key={index}>{pieces(span.text, names).map(renderPiece)}</Tag>;
  });
}

function renderPiece(piece: { text: string; filled: boolean }, index: number): ReactNode {
  if (!piece.filled) return piece.text;
  return (
    <bdi key={index} className="waiver-blank">
      {piece.text}
    </bdi>
  );
}
