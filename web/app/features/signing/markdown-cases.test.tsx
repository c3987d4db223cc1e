import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import cases from "../../../../tests/waivers/markdown.json";
import { read, type Block } from "./markdown";
import { WaiverText } from "./waiver-text";

const NAMES = { participant: "[PARTICIPANT NAME]", company: "[COMPANY NAME]" };
const TAGS = { heading: /^H[2-6]$/, paragraph: /^P$/, bullets: /^UL$/, numbers: /^OL$/, rule: /^HR$/ };

/** The same cases are read and printed on the other side by tests/waivers/test_template_markdown.py. */
test.each(cases)("on the page: $name", ({ text, blocks }) => {
  const reads = read(text);
  expect(reads).toEqual(blocks);

  const { container } = render(<WaiverText content={text} names={NAMES} />);
  const drawn = [...(container.querySelector(".waiver-text")?.children ?? [])];

  expect(drawn).toHaveLength(reads.length);
  for (const [index, block] of reads.entries()) {
    expect(drawn[index]?.tagName).toMatch(TAGS[block.kind]);
    expect(drawn[index]?.textContent).toBe(words(block));
  }
});

const words = ({ items }: Block) =>
  items
    .flat()
    .filter(({ kind }) => kind !== "break")
    .map(({ text }) => text)
    .join("");
