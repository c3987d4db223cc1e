import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import cases from "../../../../tests/waivers/markdown.json";
import { parseMarkdown, type Block } from "./markdown";
import { WaiverText } from "./waiver-text";

const NAMES = { participant: "[PARTICIPANT NAME]", company: "[COMPANY NAME]" };
const TAGS = { heading: /^H[2-6]$/, paragraph: /^P$/, bullets: /^UL$/, numbers: /^OL$/, rule: /^HR$/ };

/** The server parses and prints the same cases in tests/waivers/test_template_markdown.py. */
test.each(cases)("the page renders this case: $name", ({ text, blocks }) => {
  const parsed = parseMarkdown(text);
  expect(parsed).toEqual(blocks);

  const { container } = render(<WaiverText content={text} names={NAMES} />);
  const rendered = [...(container.querySelector(".waiver-text")?.children ?? [])];

  expect(rendered).toHaveLength(parsed.length);
  for (const [index, block] of parsed.entries()) {
    expect(rendered[index]?.tagName).toMatch(TAGS[block.kind]);
    expect(rendered[index]?.textContent).toBe(textOf(block));
  }
});

const textOf = ({ items }: Block) =>
  items
    .flat()
    .filter(({ kind }) => kind !== "break")
    .map(({ text }) => text)
    .join("");
