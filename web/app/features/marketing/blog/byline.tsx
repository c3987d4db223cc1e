type Props = { author?: string; date: string; readTime: string };

// In UTC, because the dates have no time zone and the build may run anywhere.
const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

export function Byline({ author, date, readTime }: Props) {
  return (
    <p className="text-sm text-muted">
      {author && `${author} · `}
      <time dateTime={date}>{day.format(new Date(date))}</time> · {readTime}
    </p>
  );
}
