type Props = { lines: string[]; className?: string };

/** Shows paragraphs below a heading. `className` sets the space above each of them. */
export const MutedLines = ({ lines, className = "mt-2" }: Props) =>
  lines.map((line) => (
    <p key={line} className={`${className} wrap-break-word text-muted`}>
      {line}
    </p>
  ));
