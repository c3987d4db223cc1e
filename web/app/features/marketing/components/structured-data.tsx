/**
 * Metadata for search engines in the vocabulary of schema.org. Placed beside the visible text with the same content,
 * because the repetition then compresses well.
 */
export function StructuredData({ data }: { data: Record<string, unknown> }) {
  const json = JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
