import { expect, test } from "vitest";
import { CLIMBING, RAFTING } from "~/../testing/starting-templates";
import { coverageText, filterTemplates, groupTemplates, startingTemplatesSchema } from "./starting-templates";

const templates = [CLIMBING, RAFTING];

test.each([
  ["", null, [CLIMBING, RAFTING]],
  ["  ", null, [CLIMBING, RAFTING]],
  ["CLIMB", null, [CLIMBING]],
  ["water raft", null, [RAFTING]],
  ["life vest", null, [RAFTING]],
  ["raft rope", null, []],
  ["", "On land", [CLIMBING]],
  ["raft", "On land", []],
] as const)("the search %j in the group %j finds %j", (search, group, matches) => {
  expect(filterTemplates(templates, { search, group })).toEqual(matches);
});

test("the groups are in the order of the gallery, and empty groups are left out", () => {
  expect(groupTemplates(templates)).toEqual([
    { group: "On the water", templates: [RAFTING] },
    { group: "On land", templates: [CLIMBING] },
  ]);
});

test("a starting template needs every field and a known group", () => {
  expect(startingTemplatesSchema.safeParse([{ ...RAFTING, group: "In the air" }]).success).toBe(false);
  expect(startingTemplatesSchema.safeParse([{ ...RAFTING, lawyer: "" }]).success).toBe(false);
});

test.each([
  [undefined, "Everyone signs for themselves."],
  [{}, "Everyone signs for themselves."],
  [{ minors: {} }, "A parent or guardian can sign for their children too."],
  [{ signer: false, minors: {} }, "A parent or guardian signs for their children."],
])("a form that covers %j: %s", (covers, text) => {
  expect(coverageText({ ...(covers && { covers }), questions: [] })).toBe(text);
});
