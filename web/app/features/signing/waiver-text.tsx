import { Fragment, useMemo, type ReactNode } from "react";
import "./waiver-text.css";
import { parseMarkdown, type Block, type Span } from "./markdown";
import { fillInPieces, type Names } from "./model";

type Props = { content: string; names: Names; headingLevel?: 2 | 3 };

/** Renders the text of the waiver and fills in its placeholders as the signer types. */
export function WaiverText({ content, names, headingLevel = 2 }: Props) {
  // Parse before the names are filled in, so that a name is never interpreted as Markdown.
  const blocks = useMemo(() => parseMarkdown(content), [content]);
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
    // A heading of level 1 becomes an element of level `headingLevel`. The first of HEADINGS has the level 2.
    const level = block.number + headingLevel - 1;
    const Heading = HEADINGS[level - 2] ?? "h6";
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
    return <Tag key={index}>{fillInPieces(span.text, names).map(renderPiece)}</Tag>;
  });
}

function renderPiece(piece: { text: string; isFilled: boolean }, index: number): ReactNode {
  if (!piece.isFilled) return piece.text;
  return (
    <bdi key={index} className="waiver-placeholder">
      {piece.text}
    </bdi>
  );
}
