import { expect, test } from "vitest";
import { parseMarkdown, type Block } from "./markdown";

const itemTexts = (block: Block | undefined) =>
  block?.items.map((spans) => spans.map((span) => span.text).join(""));
const kinds = (markdown: string) => parseMarkdown(markdown).map((block) => block.kind);

test("headings, paragraphs, lists and rules are recognised", () => {
  expect(kinds("# Risk\nText\n\n- a\n- b\n\n1. one\n2. two\n\n---\nEnd")).toEqual([
    "heading",
    "paragraph",
    "bullets",
    "numbers",
    "rule",
    "paragraph",
  ]);
});

test("a line break inside a paragraph is kept", () => {
  expect(itemTexts(parseMarkdown("one\ntwo\r\nthree")[0])).toEqual(["one\ntwo\nthree"]);
});

test("a list item may span several lines", () => {
  expect(itemTexts(parseMarkdown("- first\n  goes on\n- second")[0])).toEqual(["first\ngoes on", "second"]);
});

test("every clause keeps the number its author gave it", () => {
  const clauses = parseMarkdown("3. third\n4. fourth\n7. seventh\n7. seventh again");

  expect(clauses.map(({ number, items }) => [number, items.length])).toEqual([
    [3, 2],
    [7, 1],
    [7, 1],
  ]);
});

test("bold and italic text is recognised inside a line", () => {
  expect(parseMarkdown("a **bold** and *soft* _word_")[0]?.items[0]).toEqual([
    { kind: "text", text: "a " },
    { kind: "strong", text: "bold" },
    { kind: "text", text: " and " },
    { kind: "emphasis", text: "soft" },
    { kind: "text", text: " " },
    { kind: "emphasis", text: "word" },
  ]);
});

test.each([
  "<script>alert(1)</script> <b>x</b> [link](javascript:alert(1)) ![x](y)",
  "5 * 3 * 2, snake_case_name, Name: ________ Date: ____",
  "#not a heading, 1.1 not a list, -5 degrees",
  "**never closed and *neither",
  "&lt;b&gt; &amp;",
])("text that is not Markdown stays unchanged: %s", (line) => {
  expect(parseMarkdown(line)).toHaveLength(1);
  expect(itemTexts(parseMarkdown(line)[0])).toEqual([line]);
});

test("an escaped asterisk stays an asterisk", () => {
  expect(itemTexts(parseMarkdown("\\*not soft\\*")[0])).toEqual(["*not soft*"]);
});

test("a hostile template is parsed in less than a second", () => {
  const startedAt = performance.now();

  parseMarkdown("*".repeat(60_000) + "\n" + " _a".repeat(20_000) + "\n" + "**a ".repeat(20_000));

  expect(performance.now() - startedAt).toBeLessThan(1000);
});
