import { expect, test } from "vitest";
import { ARTICLES } from "./list";
import { headingsOf, listArticles, readArticle, writtenArticles } from "./read";

const LISTED = ["author", "category", "date", "excerpt", "id", "readTime", "slug", "title"];
const keys = (row: object) => Object.keys(row).toSorted();

test("ENT-19 an article has its facts, and one that can be read also a hero image and its HTML", () => {
  for (const listed of listArticles()) expect(keys(listed)).toEqual(LISTED);
  const whole = writtenArticles().map(({ slug }) => readArticle(slug) ?? {});
  expect(whole).toHaveLength(4);
  for (const article of whole) expect(keys(article)).toEqual([...LISTED, "content", "heroImage"].toSorted());
  expect(readArticle("case-studies")?.content).toContain("<p><strong>These are worked examples.</strong>");
});

test("the time to read follows from the words", () => {
  const minutes = writtenArticles().map(({ readTime }) => Number(/^(\d+) min read$/.exec(readTime)?.[1]));
  expect(minutes.every((each) => each >= 4 && each <= 6)).toBe(true);
});

test("every heading of the table of contents leads to a place in the text", () => {
  for (const { slug } of writtenArticles()) {
    const content = readArticle(slug)?.content ?? "";
    const places = headingsOf(slug).map(({ id }) => content.split(`<h2 id="${id}">`).length - 1);
    expect(places.length).toBeGreaterThan(3);
    expect(places.every((times) => times === 1)).toBe(true);
  }
});

test("what is only announced, or unknown, cannot be read", () => {
  const announced = ARTICLES.slice(4).map(({ slug }) => slug);
  expect([...announced, "nope", "../list", "constructor"].map(readArticle)).toEqual(
    [...announced, 1, 2, 3].map(() => null),
  );
});
