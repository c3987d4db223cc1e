type Props = { author?: string; date: string; readTime: string };

// The dates have no time zone and the build may run anywhere, so they are formatted in UTC.
const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

export function Byline({ author, date, readTime }: Props) {
  return (
    <p className="text-sm text-muted">
      {author && `${author} · `}
      <time dateTime={date}>{dateFormat.format(new Date(date))}</time> · {readTime}
    </p>
  );
}
