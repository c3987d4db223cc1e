import { expect, test } from "vitest";
import { findProblems } from "~/features/form-editor/problems";
import { readForm } from "~/features/form-editor/edited-form";
import { parseMarkdown } from "~/features/signing/markdown";
import { unknownPlaceholders } from "~/features/templates/placeholders";
import { startingTemplatesSchema } from "~/features/templates/starting-templates";
import { loader } from "./starting-templates";

const templates = startingTemplatesSchema.parse(await loader().json());
const CASES = templates.map((template) => [template.id, template] as const);
const USUAL_ACTIVITIES =
  "Rafting,Climbing,Horse riding,Cycling,Boats,Winter,Gym,Camps,Rentals,Events,Photography,Medical".split(
    ",",
  );

test("there is a starting template for each of the usual activities", () => {
  const activities = templates.map(({ activity }) => activity);

  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
  expect(activities).toEqual(expect.arrayContaining(USUAL_ACTIVITIES));
});

test.each(CASES)(
  "the text for %s begins with a line that marks it as a draft for a lawyer",
  (_, { content }) => {
    const [firstLine = ""] = content.split("\n");

    expect(firstLine).toBe("[DRAFT TO BE REVIEWED BY A LAWYER]");
    // The editor warns about this line until the company has deleted it, because guests would see it.
    expect(unknownPlaceholders(content)).toContain(firstLine);
  },
);

test.each(CASES)(
  "the text for %s has 500 to 900 words and names the guest and the company",
  (_, { content }) => {
    const wordCount = content.split(/\s+/).length;

    expect(wordCount).toBeGreaterThanOrEqual(500);
    expect(wordCount).toBeLessThanOrEqual(900);
    expect(content).toContain("[PARTICIPANT NAME]");
    expect(content).toContain("[COMPANY NAME]");
  },
);

test.each(CASES)("the text for %s leaves law and courts to the company", (_, { content }) => {
  expect(unknownPlaceholders(content)).toEqual(
    expect.arrayContaining(["[STATE OR COUNTRY]", "[COUNTY OR CITY]"]),
  );
});

test.each(CASES)(
  "the release in the text for %s is in bold type, and not all claims are released",
  (id, { content }) => {
    const boldTexts = parseMarkdown(content)
      .flatMap(({ items }) => items.flat())
      .filter(({ kind }) => kind === "strong")
      .map(({ text }) => text);

    if (id !== "photography") expect(boldTexts.join(" ")).toMatch(/release.*negligence/);
    expect(content).toMatch(/gross negligence|Gross negligence|remain mine/);
  },
);

test.each(CASES)("no Markdown of the text for %s is shown to guests", (_, { content }) => {
  const shownTexts = parseMarkdown(content).flatMap(({ items }) => items.flat().map(({ text }) => text));

  expect(shownTexts.join("\n")).not.toMatch(/[*#_]/);
});

test.each(CASES)("FORM-45 the template for %s asks questions that the server accepts", (_, { form }) => {
  expect(form.questions.length).toBeGreaterThan(0);
  expect(findProblems(readForm(form))).toEqual([]);
});

const TEMPLATES_FOR_CHILDREN = CASES.filter(([, { form }]) => form.covers?.minors);

test.each(TEMPLATES_FOR_CHILDREN)(
  "a signature for %s covers children, and its text says so",
  (_, { content }) => {
    expect(content).toMatch(/sign for a child|my child/);
  },
);

test("guests who go on the water are asked how well they swim", () => {
  const questions = templates
    .filter(({ group }) => group === "On the water")
    .map(({ form }) => form.questions.map(({ label }) => label));

  expect(questions).toHaveLength(3);
  for (const labels of questions) expect(labels).toContain("How well do you swim?");
});
