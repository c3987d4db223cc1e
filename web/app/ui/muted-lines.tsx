type Props = { lines: string[]; className?: string };

/** Paragraphs below a heading. `className` sets the space above each. */
export const MutedLines = ({ lines, className = "mt-2" }: Props) =>
  lines.map((line) => (
    <p key={line} className={`${className} wrap-break-word text-muted`}>
      {line}
    </p>
  ));
