import { ARTICLES, ARTICLE_NOT_FOUND_SLUG, articlePicture } from "./articles/list";

/** These pages are prerendered at build time and contain no script, except the front page (see lib/receipt-script.ts). */
export const PLAIN_PAGES = [
  "/",
  "/features",
  "/pricing",
  "/customers",
  "/about",
  "/contact",
  "/contact/sent",
  "/demo",
  "/demo/sent",
  "/privacy",
  "/terms",
  "/security",
  "/blog",
  ...ARTICLES.map(({ slug }) => `/blog/${slug}`),
  `/blog/${ARTICLE_NOT_FOUND_SLUG}`,
];

/** The blog has one feed, and each article has a picture. */
export const BLOG_FILES = ["/blog/rss.xml", ...ARTICLES.map(({ slug }) => articlePicture(slug))];

/**
 * The backgrounds of the public pages are drawings of maps (see ui/terrain.tsx). The build draws one from each of these
 * seeds, as `/art/{seed}.svg`. A seed is any text; the same text always results in the same drawing.
 */
export const MAP_SEEDS = [
  "rio",
  "first-light",
  "plateau",
  "watershed",
  "headwaters",
  "confluence",
  "meander",
  "shoreline",
  "ridgeline",
  "bedrock",
  "switchback",
  "larch",
];
