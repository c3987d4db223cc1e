import { listArticles, type ListedArticle } from "~/content/articles/articles";
import { SITE_URL } from "~/lib/head";
import { paths } from "~/paths";

/** Writes the blog as RSS 2.0 at build time. */
export function loader(): Response {
  const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>Cairn blog</title>
<link>${SITE_URL}${paths.blog}</link>
<description>Waivers in plain language, for guides and outfitters.</description>
<language>en</language>
<atom:link href="${SITE_URL}${paths.blogFeed}" rel="self" type="application/rss+xml"/>
${listArticles().map(feedItem).join("\n")}
</channel>
</rss>
`;
  return new Response(feed, { headers: { "Content-Type": "application/rss+xml" } });
}

function feedItem({ slug, title, excerpt, date, author, category }: ListedArticle): string {
  const url = SITE_URL + paths.article(slug);
  return `<item>
<title>${escapeXml(title)}</title>
<link>${url}</link>
<guid>${url}</guid>
<pubDate>${new Date(date).toUTCString()}</pubDate>
<dc:creator>${escapeXml(author)}</dc:creator>
<category>${escapeXml(category)}</category>
<description>${escapeXml(excerpt)}</description>
</item>`;
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
