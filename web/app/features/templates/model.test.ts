import { expect, test } from "vitest";
import { TEMPLATE_ROW } from "~/../testing/template-row";
import { templateDraftSchema } from "./draft";
import { duplicateDraft, toTemplate, sortTemplates, isBlank, parseCachedTemplates } from "./model";

const row = { ...TEMPLATE_ROW, description: "", content: "", updated_at: "2026-01-03T00:00:00Z" };

test("ENT-11 a template has id, name, description, content, createdAt and updatedAt", () => {
  expect(toTemplate(row)).toMatchObject({
    id: "tpl-1",
    name: "River day",
    createdAt: "2026-01-02T00:00:00Z",
    updatedAt: "2026-01-03T00:00:00Z",
    isSample: false,
  });
});

test("templates are sorted newest first, and the company's own precede the samples", () => {
  const sample = toTemplate({
    ...row,
    id: "template-general-liability",
    company_id: null,
    created_at: "2027-01-01",
  });
  const [older, newer] = [toTemplate(row), toTemplate({ ...row, id: "tpl-2", created_at: "2026-02-01" })];

  expect(sortTemplates([sample, older, newer]).map(({ id }) => id)).toEqual([
    "tpl-2",
    "tpl-1",
    "template-general-liability",
  ]);
});

test.each(["", "   "])("TPL-07 the name %j is rejected", (name) => {
  const { error } = templateDraftSchema.safeParse({ name, description: "", content: "" });
  expect(error?.issues[0]?.message).toBe("Template name is required.");
});

test("description and content are optional, and the name is trimmed", () => {
  expect(templateDraftSchema.parse({ name: " River day ", description: "", content: "" }).name).toBe(
    "River day",
  );
});

test("UX-07 a malformed cache is ignored", () => {
  const templates = [toTemplate(row)];
  expect(parseCachedTemplates(templates)).toEqual(templates);
  expect(parseCachedTemplates([{ id: "tpl-1" }])).toBeNull();
  expect(parseCachedTemplates("nonsense")).toBeNull();
});

test("the name of a duplicate starts with Copy of and is cut at the maximum length", () => {
  const { name, content, form } = duplicateDraft({
    ...toTemplate(row),
    name: "R".repeat(200),
    content: "I agree.",
    form: { questions: [] },
  });

  expect(name).toHaveLength(200);
  expect(name).toMatch(/^Copy of R+$/);
  expect(content).toBe("I agree.");
  expect(form).toEqual({ questions: [] });
});

test("a template that contains only spaces is blank", () => {
  expect(isBlank({ content: " \n" })).toBe(true);
  expect(isBlank({ content: "I agree." })).toBe(false);
});
