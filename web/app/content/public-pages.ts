import { ARTICLES, NO_ARTICLE, pictureOf } from "./articles/list";

/** The pages that are written out whole at build time and come without any script. */
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

/** What goes with the blog and is no page: its feed, and a picture for every article. */
export const BLOG_FILES = ["/blog/rss.xml", ...ARTICLES.map(({ slug }) => pictureOf(slug))];

/** The pieces of the map they stand on, by seed: each is drawn at build time, as `/art/{seed}.svg`. */
export const DRAWINGS = [
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
