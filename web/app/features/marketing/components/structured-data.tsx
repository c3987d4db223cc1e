/**
 * Describes the page to search engines with schema.org terms. The data is placed beside the visible text with the same
 * content, because the repetition then compresses well.
 */
export function StructuredData({ data }: { data: Record<string, unknown> }) {
  const json = JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
