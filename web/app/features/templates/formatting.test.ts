import { expect, test } from "vitest";
import { bullets, emphasise, heading, numbers, place, type Edit, type Marked } from "./formatting";

/** A text with what is marked between two bars. */
function marked(shown: string): Marked {
  const [before = "", inside = ""] = shown.split("|");
  return {
    text: shown.replaceAll("|", ""),
    start: before.length,
    end: before.length + inside.length,
  };
}

function after(shown: string, change: (text: Marked) => Edit): string {
  const { text } = marked(shown);
  const { from, to, insert, start, end } = change(marked(shown));
  const changed = text.slice(0, from) + insert + text.slice(to);
  return `${changed.slice(0, start)}|${changed.slice(start, end)}|${changed.slice(end)}`;
}

const bold = (text: Marked) => emphasise(text, "**", "bold text");
const soft = (text: Marked) => emphasise(text, "_", "soft text");

test.each([
  ["I |agree| now", "I |**agree**| now"],
  ["I |**agree**| now", "I |agree| now"],
  ["I **|agree|** now", "I |agree| now"],
  ["I || now", "I **|bold text|** now"],
  ["|one \n- two|", "|**one** \n- **two**|"],
])("bold makes %j into %j", (before, then) => {
  expect(after(before, bold)).toBe(then);
});

test("soft words stay soft inside a bold button's reach", () => {
  expect(after("I |agree| now", soft)).toBe("I |_agree_| now");
});

test("a heading grows smaller and goes", () => {
  expect(after("Ri||sk", heading)).toBe("# Risk||");
  expect(after("# Ri||sk", heading)).toBe("## Risk||");
  expect(after("## Ri||sk", heading)).toBe("Risk||");
});

test.each([
  ["a\n|b\nc|\nd", "a\n|- b\n- c|\nd"],
  ["|- b\n- c|", "|b\nc|"],
  ["|1. b\n2. c|", "|- b\n- c|"],
  ["||", "- ||"],
])("a list makes %j into %j", (before, then) => {
  expect(after(before, bullets)).toBe(then);
});

test("a numbered list counts the lines that say something", () => {
  expect(after("|b\n\nc|", numbers)).toBe("|1. b\n\n2. c|");
  expect(after("|1. b\n2. c|", numbers)).toBe("|b\nc|");
});

test("a placeholder takes the place of what was marked", () => {
  expect(after("I, |x|, agree", (text) => place(text, "[PARTICIPANT NAME]"))).toBe(
    "I, [PARTICIPANT NAME]||, agree",
  );
});
