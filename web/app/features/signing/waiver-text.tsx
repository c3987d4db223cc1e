import { Fragment, useMemo, type ReactNode } from "react";
import "./waiver-text.css";
import { parseMarkdown, type Block, type Span } from "./markdown";
import { fillInPieces, type Names } from "./model";

/** Shows a field at a place for initials. Places are numbered from 0. */
type InitialsRenderer = (place: number) => ReactNode;

type Props = {
  content: string;
  names: Names;
  headingLevel?: 2 | 3;
  /** Without a form, [INITIALS] is ordinary text. */
  initials?: InitialsRenderer;
};

/** Renders the text of the waiver and fills in its placeholders as the signer types. */
export function WaiverText({ content, names, headingLevel = 2, initials }: Props) {
  // Parse before the names are filled in, so that a name is never interpreted as Markdown.
  const blocks = useMemo(() => parseMarkdown(content), [content]);
  const context = {
    ...names,
    renderText: initials ? initialsRenderer(initials) : (text: string): ReactNode => text,
  };
  return (
    <div className="waiver-text">
      {blocks.map((block, index) => (
        <Fragment key={index}>{renderBlock(block, context, headingLevel)}</Fragment>
      ))}
    </div>
  );
}

type RenderContext = Names & { renderText: (text: string) => ReactNode };

const HEADINGS = ["h2", "h3", "h4", "h5", "h6"] as const;

function renderBlock(block: Block, context: RenderContext, headingLevel: number): ReactNode {
  const [first = []] = block.items;
  if (block.kind === "rule") return <hr />;
  if (block.kind === "paragraph") return <p dir="auto">{renderSpans(first, context)}</p>;
  if (block.kind === "heading") {
    // A heading of level 1 becomes an element of level `headingLevel`. The first of HEADINGS has the level 2.
    const level = block.number + headingLevel - 1;
    const Heading = HEADINGS[level - 2] ?? "h6";
    return <Heading dir="auto">{renderSpans(first, context)}</Heading>;
  }
  const items = block.items.map((spans, index) => (
    <li key={index} dir="auto">
      {renderSpans(spans, context)}
    </li>
  ));
  return block.kind === "bullets" ? <ul>{items}</ul> : <ol start={block.number}>{items}</ol>;
}

const TAGS = { text: Fragment, strong: "strong", emphasis: "em" } as const;

function renderSpans(spans: Span[], context: RenderContext): ReactNode {
  return spans.map((span, index) => {
    if (span.kind === "break") return <br key={index} />;
    const Tag = TAGS[span.kind];
    return (
      <Tag key={index}>
        {fillInPieces(span.text, context).map((piece, place) => renderPiece(piece, place, context))}
      </Tag>
    );
  });
}

function renderPiece(
  piece: { text: string; isFilled: boolean },
  index: number,
  context: RenderContext,
): ReactNode {
  if (!piece.isFilled) return context.renderText(piece.text);
  return (
    <bdi key={index} className="waiver-placeholder">
      {piece.text}
    </bdi>
  );
}

/** Numbers the places for initials in the order in which they are rendered. */
function initialsRenderer(initials: InitialsRenderer): RenderContext["renderText"] {
  let place = 0;
  return (text) =>
    text.split("[INITIALS]").map((part, index) => (
      <Fragment key={index}>
        {index > 0 && initials(place++)}
        {part}
      </Fragment>
    ));
}
