import { Marked, type Tokens } from "marked";
import { ARTICLES, articlePicture, type ArticleSummary } from "./list";

// Articles are read at build time only, so this module is not part of the browser bundle.
export type ListedArticle = ArticleSummary & { readTime: string };
export type Article = ListedArticle & { heroImage: string; content: string };
export type Heading = { id: string; text: string };

const TEXTS = import.meta.glob<string>("./*.md", { query: "?raw", import: "default", eager: true });
const WORDS_PER_MINUTE = 230;
/** Articles that are not written yet are assumed to have this length. */
const TYPICAL_WORD_COUNT = 1_000;

export function listArticles(): ListedArticle[] {
  return ARTICLES.map((summary) => ({ ...summary, readTime: readTime(textOf(summary.slug)) }));
}

export function publishedArticles(): ListedArticle[] {
  return listArticles().filter(({ slug }) => textOf(slug) !== undefined);
}

export function readArticle(slug: string): Article | null {
  const article = listArticles().find((candidate) => candidate.slug === slug);
  const text = textOf(slug);
  if (!article || text === undefined) return null;
  return { ...article, heroImage: articlePicture(slug), content: markdown.parse(text, { async: false }) };
}

/** Returns the headings of an article for its table of contents. */
export function headingsOf(slug: string): Heading[] {
  return markdown
    .lexer(textOf(slug) ?? "")
    .filter((token): token is Tokens.Heading => token.type === "heading" && token.depth === 2)
    .map(({ text }) => ({ id: headingId(text), text }));
}

const textOf = (slug: string): string | undefined => TEXTS[`./${slug}.md`];

function readTime(text: string | undefined): string {
  const wordCount = text?.split(/\s+/).filter((token) => /\w/.test(token)).length ?? TYPICAL_WORD_COUNT;
  return `${Math.ceil(wordCount / WORDS_PER_MINUTE)} min read`;
}

const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});
