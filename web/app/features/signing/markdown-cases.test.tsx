import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import cases from "../../../../tests/waivers/markdown.json";
import { parseMarkdown, type Block } from "./markdown";
import { WaiverText } from "./waiver-text";

/** Each placeholder is replaced by itself, so that the shown text can be compared with the parsed one. */
const UNCHANGED_NAMES = { participant: "[PARTICIPANT NAME]", company: "[COMPANY NAME]" };
const TAGS = { heading: /^H[2-6]$/, paragraph: /^P$/, bullets: /^UL$/, numbers: /^OL$/, rule: /^HR$/ };

/** The server parses and prints the same cases in tests/waivers/test_template_markdown.py. */
test.each(cases)("the page renders this case: $name", ({ text, blocks }) => {
  const parsedBlocks = parseMarkdown(text);
  expect(parsedBlocks).toEqual(blocks);

  const { container } = render(<WaiverText content={text} names={UNCHANGED_NAMES} />);
  const renderedElements = [...(container.querySelector(".waiver-text")?.children ?? [])];

  expect(renderedElements).toHaveLength(parsedBlocks.length);
  for (const [index, block] of parsedBlocks.entries()) {
    expect(renderedElements[index]?.tagName).toMatch(TAGS[block.kind]);
    expect(renderedElements[index]?.textContent).toBe(textOf(block));
  }
});

const textOf = ({ items }: Block) =>
  items
    .flat()
    .filter(({ kind }) => kind !== "break")
    .map(({ text }) => text)
    .join("");
