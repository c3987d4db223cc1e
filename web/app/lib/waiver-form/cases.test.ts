import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { checkFormParts } from "./check-form-parts";
import type { Form, FormParts, Refusal } from "./types";

type Case = {
  form: Form;
  content: string;
  today: string;
  parts: (FormParts & { verdict: Refusal | null })[];
};

/** tests/waivers/forms/test_browser_agrees.py checks the same signatures in the database. */
const CASES: Case[] = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../../../tests/waivers/forms/cases.json`, "utf8"),
);

test("FORM-01 the browser has the verdicts of the database on 2,000 signatures", () => {
  const differences = CASES.flatMap(({ form, content, today, parts }) =>
    parts.flatMap(({ verdict, ...signed }) => {
      const [found = null] = checkFormParts(form, content, signed, today);
      return isDeepStrictEqual(found, verdict) ? [] : [{ found, verdict, today, form, signed }];
    }),
  );

  expect(CASES.flatMap((one) => one.parts)).toHaveLength(2000);
  expect(differences).toEqual([]);
});
