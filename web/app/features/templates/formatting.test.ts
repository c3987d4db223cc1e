import { expect, test } from "vitest";
import * as formatting from "./formatting";

/** Two bars mark the selection. */
function parseSelection(shown: string): formatting.Selection {
  const [before = "", inside = ""] = shown.split("|");
  return {
    text: shown.replaceAll("|", ""),
    start: before.length,
    end: before.length + inside.length,
  };
}

function applied(shown: string, change: (text: formatting.Selection) => formatting.Edit): string {
  const { text } = parseSelection(shown);
  const { from, to, insert, start, end } = change(parseSelection(shown));
  const changed = text.slice(0, from) + insert + text.slice(to);
  return `${changed.slice(0, start)}|${changed.slice(start, end)}|${changed.slice(end)}`;
}

const bold = (text: formatting.Selection) => formatting.toggleEmphasis(text, "**", "bold text");
const italic = (text: formatting.Selection) => formatting.toggleEmphasis(text, "_", "italic text");

test.each([
  ["I |agree| now", "I |**agree**| now"],
  ["I |**agree**| now", "I |agree| now"],
  ["I **|agree|** now", "I |agree| now"],
  ["I || now", "I **|bold text|** now"],
  ["|one \n- two|", "|**one** \n- **two**|"],
])("bold turns %j into %j", (before, after) => {
  expect(applied(before, bold)).toBe(after);
});

test("italic adds underscores", () => {
  expect(applied("I |agree| now", italic)).toBe("I |_agree_| now");
});

test("the heading button cycles through the levels", () => {
  expect(applied("Ri||sk", formatting.toggleHeading)).toBe("# Risk||");
  expect(applied("# Ri||sk", formatting.toggleHeading)).toBe("## Risk||");
  expect(applied("## Ri||sk", formatting.toggleHeading)).toBe("Risk||");
});

test.each([
  ["a\n|b\nc|\nd", "a\n|- b\n- c|\nd"],
  ["|- b\n- c|", "|b\nc|"],
  ["|1. b\n2. c|", "|- b\n- c|"],
  ["||", "- ||"],
])("the list button turns %j into %j", (before, after) => {
  expect(applied(before, formatting.toggleBullets)).toBe(after);
});

test("a numbered list skips empty lines", () => {
  expect(applied("|b\n\nc|", formatting.toggleNumbers)).toBe("|1. b\n\n2. c|");
  expect(applied("|1. b\n2. c|", formatting.toggleNumbers)).toBe("|b\nc|");
});

test("a placeholder replaces the selection", () => {
  expect(applied("I, |x|, agree", (text) => formatting.insertText(text, "[PARTICIPANT NAME]"))).toBe(
    "I, [PARTICIPANT NAME]||, agree",
  );
});
