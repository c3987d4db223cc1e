import { expect, test } from "vitest";
import * as formatting from "./formatting";

/** Parses a text in which two bars mark the selection. */
function parseSelection(markedText: string): formatting.Selection {
  const [before = "", inside = ""] = markedText.split("|");
  return {
    text: markedText.replaceAll("|", ""),
    start: before.length,
    end: before.length + inside.length,
  };
}

function applyChange(markedText: string, change: (text: formatting.Selection) => formatting.Edit): string {
  const { text } = parseSelection(markedText);
  const { from, to, insert, start, end } = change(parseSelection(markedText));
  const newText = text.slice(0, from) + insert + text.slice(to);
  return `${newText.slice(0, start)}|${newText.slice(start, end)}|${newText.slice(end)}`;
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
  expect(applyChange(before, bold)).toBe(after);
});

test("italic adds underscores", () => {
  expect(applyChange("I |agree| now", italic)).toBe("I |_agree_| now");
});

test("the heading button cycles through the levels", () => {
  expect(applyChange("Ri||sk", formatting.toggleHeading)).toBe("# Risk||");
  expect(applyChange("# Ri||sk", formatting.toggleHeading)).toBe("## Risk||");
  expect(applyChange("## Ri||sk", formatting.toggleHeading)).toBe("Risk||");
});

test.each([
  ["a\n|b\nc|\nd", "a\n|- b\n- c|\nd"],
  ["|- b\n- c|", "|b\nc|"],
  ["|1. b\n2. c|", "|- b\n- c|"],
  ["||", "- ||"],
])("the list button turns %j into %j", (before, after) => {
  expect(applyChange(before, formatting.toggleBullets)).toBe(after);
});

test("a numbered list skips empty lines", () => {
  expect(applyChange("|b\n\nc|", formatting.toggleNumbers)).toBe("|1. b\n\n2. c|");
  expect(applyChange("|1. b\n2. c|", formatting.toggleNumbers)).toBe("|b\nc|");
});

test("a placeholder replaces the selection", () => {
  expect(applyChange("I, |x|, agree", (text) => formatting.insertText(text, "[PARTICIPANT NAME]"))).toBe(
    "I, [PARTICIPANT NAME]||, agree",
  );
});
