import { Marked, type Tokens } from "marked";
import { ARTICLES, pictureOf, type Card } from "./list";

/** Only while the pages are built: none of this is part of the app's script. */
export type ListedArticle = Card & { readTime: string };
export type Article = ListedArticle & { heroImage: string; content: string };
export type Heading = { id: string; text: string };

const TEXTS = import.meta.glob<string>("./*.md", { query: "?raw", import: "default", eager: true });
const WORDS_A_MINUTE = 230;
/** What an article of ours comes to, for those not written yet. */
const USUAL_WORDS = 1_000;

export function listArticles(): ListedArticle[] {
  return ARTICLES.map((card) => ({ ...card, readTime: readTime(textOf(card.slug)) }));
}

/** Those that can be read. */
export function writtenArticles(): ListedArticle[] {
  return listArticles().filter(({ slug }) => textOf(slug) !== undefined);
}

export function readArticle(slug: string): Article | null {
  const article = listArticles().find((listed) => listed.slug === slug);
  const text = textOf(slug);
  if (!article || text === undefined) return null;
  return { ...article, heroImage: pictureOf(slug), content: markdown.parse(text, { async: false }) };
}

/** The parts of an article, for its table of contents. */
export function headingsOf(slug: string): Heading[] {
  return markdown
    .lexer(textOf(slug) ?? "")
    .filter((token): token is Tokens.Heading => token.type === "heading" && token.depth === 2)
    .map(({ text }) => ({ id: nameOf(text), text }));
}

const textOf = (slug: string): string | undefined => TEXTS[`./${slug}.md`];

function readTime(text: string | undefined): string {
  const words = text?.split(/\s+/).filter((word) => /\w/.test(word)).length ?? USUAL_WORDS;
  return `${Math.ceil(words / WORDS_A_MINUTE)} min read`;
}

const nameOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${nameOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});
