import { Marked, type Tokens } from "marked";
import { ARTICLES, articlePicture, type ArticleSummary } from "./list";

// Articles are read at build time only, so this module is not part of the browser bundle.
export type ListedArticle = ArticleSummary & { readTime: string };
export type Article = ListedArticle & { heroImage: string; content: string };
export type Heading = { id: string; text: string };

const TEXTS = import.meta.glob<string>("./*.md", { query: "?raw", import: "default", eager: true });
const WORDS_PER_MINUTE = 230;

export function listArticles(): ListedArticle[] {
  return ARTICLES.map((summary) => ({ ...summary, readTime: readTime(textOf(summary.slug)) }));
}

export function readArticle(slug: string): Article | null {
  const article = listArticles().find((candidate) => candidate.slug === slug);
  if (!article) return null;
  const content = markdown.parse(textOf(slug), { async: false });
  return { ...article, heroImage: articlePicture(slug), content: withFocusableCode(content) };
}

/** On a phone, long lines of code are scrolled sideways, and a keyboard can scroll only what it can focus. */
const withFocusableCode = (content: string): string => content.replaceAll("<pre>", '<pre tabindex="0">');

/** Returns the headings of an article for its table of contents. */
export function headingsOf(slug: string): Heading[] {
  return markdown
    .lexer(textOf(slug))
    .filter((token): token is Tokens.Heading => token.type === "heading" && token.depth === 2)
    .map(({ text }) => ({ id: headingId(text), text }));
}

/** Returns an empty text for an unknown slug. A test checks that every article of the list has a text. */
const textOf = (slug: string): string => TEXTS[`./${slug}.md`] ?? "";

function readTime(text: string): string {
  const wordCount = text.split(/\s+/).filter((token) => /\w/.test(token)).length;
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
