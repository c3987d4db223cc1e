import { ARTICLES, NO_ARTICLE, articlePicture } from "./articles/list";

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
  `/blog/${NO_ARTICLE}`,
];

/** Besides its pages, the blog consists of a feed and a picture for every article. */
export const BLOG_FILES = ["/blog/rss.xml", ...ARTICLES.map(({ slug }) => articlePicture(slug))];

/** Each page has a map drawing in its background, which is generated from a seed at build time as `/art/{seed}.svg`. */
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
