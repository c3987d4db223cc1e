import { expect, test } from "vitest";
import { ARTICLES } from "./list";
import { headingsOf, listArticles, readArticle } from "./articles";

const SUMMARY_FIELDS = ["author", "category", "date", "excerpt", "id", "readTime", "slug", "title"];
const keys = (row: object) => Object.keys(row).toSorted();

test("ENT-19 every article has the fields of its summary, a hero image and HTML content", () => {
  for (const article of listArticles()) expect(keys(article)).toEqual(SUMMARY_FIELDS);
  const articles = ARTICLES.map(({ slug }) => readArticle(slug));
  expect(articles).toHaveLength(7);
  for (const article of articles) {
    expect(keys(article ?? {})).toEqual([...SUMMARY_FIELDS, "content", "heroImage"].toSorted());
    expect(article?.content).toContain("<h2");
  }
  expect(readArticle("case-studies")?.content).toContain("<p><strong>These are worked examples.</strong>");
});

test("every article takes four to six minutes to read", () => {
  const minutes = listArticles().map(({ readTime }) => Number(/^(\d+) min read$/.exec(readTime)?.[1]));
  expect(minutes.every((minute) => minute >= 4 && minute <= 6)).toBe(true);
});

test("every heading of the table of contents exists once in the text", () => {
  for (const { slug } of ARTICLES) {
    const content = readArticle(slug)?.content ?? "";
    const counts = headingsOf(slug).map(({ id }) => content.split(`<h2 id="${id}">`).length - 1);
    expect(counts.length).toBeGreaterThan(3);
    expect(counts.every((count) => count === 1)).toBe(true);
  }
});

test("an unknown article cannot be read", () => {
  const slugs = ["nope", "../list", "constructor", ""];
  expect(slugs.map(readArticle)).toEqual(slugs.map(() => null));
});

test("a block of code can be focused, so that a keyboard can scroll it", () => {
  expect(readArticle("integration-guide")?.content).toContain('<pre tabindex="0"><code');
  expect(readArticle("integration-guide")?.content).not.toContain("<pre>");
});
