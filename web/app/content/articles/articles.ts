import { Marked, type Tokens } from "marked";
import { ARTICLES, articlePicture, type Card } from "./list";

/** Used only at build time; none of this is part of the app's script. */
export type ListedArticle = Card & { readTime: string };
export type Article = ListedArticle & { heroImage: string; content: string };
export type Heading = { id: string; text: string };

const TEXTS = import.meta.glob<string>("./*.md", { query: "?raw", import: "default", eager: true });
const WORDS_PER_MINUTE = 230;
/** The assumed length of an article that is not written yet. */
const TYPICAL_LENGTH = 1_000;

export function listArticles(): ListedArticle[] {
  return ARTICLES.map((card) => ({ ...card, readTime: readTime(textOf(card.slug)) }));
}

export function publishedArticles(): ListedArticle[] {
  return listArticles().filter(({ slug }) => textOf(slug) !== undefined);
}

export function readArticle(slug: string): Article | null {
  const article = listArticles().find((listed) => listed.slug === slug);
  const text = textOf(slug);
  if (!article || text === undefined) return null;
  return { ...article, heroImage: articlePicture(slug), content: markdown.parse(text, { async: false }) };
}

/** The headings of an article, for its table of contents. */
export function headingsOf(slug: string): Heading[] {
  return markdown
    .lexer(textOf(slug) ?? "")
    .filter((token): token is Tokens.Heading => token.type === "heading" && token.depth === 2)
    .map(({ text }) => ({ id: headingId(text), text }));
}

const textOf = (slug: string): string | undefined => TEXTS[`./${slug}.md`];

function readTime(text: string | undefined): string {
  const length = text?.split(/\s+/).filter((token) => /\w/.test(token)).length ?? TYPICAL_LENGTH;
  return `${Math.ceil(length / WORDS_PER_MINUTE)} min read`;
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
