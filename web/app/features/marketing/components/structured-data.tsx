/**
 * Facts for search engines, in the words of schema.org. Beside the part of the page that says the same, because a compressor
 * then sees the repetition.
 */
export function StructuredData({ facts }: { facts: Record<string, unknown> }) {
  const json = JSON.stringify({ "@context": "https://schema.org", ...facts }).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
