type Props = { author?: string; date: string; readTime: string };

// The day stands in the list as it is meant, wherever the pages are built.
const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** Who wrote it, when, and how long it takes to read. */
export function Byline({ author, date, readTime }: Props) {
  return (
    <p className="text-sm text-muted">
      {author && `${author} · `}
      <time dateTime={date}>{day.format(new Date(date))}</time> · {readTime}
    </p>
  );
}
