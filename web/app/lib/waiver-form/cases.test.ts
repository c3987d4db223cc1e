import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { checkFormColumns } from "./check-form-columns";
import type { Form, FormColumns, Refusal } from "./types";

type Case = {
  form: Form;
  content: string;
  today: string;
  requests: (FormColumns & { refusal: Refusal | null })[];
};

/** tests/waivers/forms/test_browser_agrees.py checks the same signing requests in the database. */
const CASES: Case[] = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../../../tests/waivers/forms/cases.json`, "utf8"),
);

test("FORM-01 of 2,000 signing requests, the browser and the database refuse the same ones", () => {
  const differences = CASES.flatMap(({ form, content, today, requests }) =>
    requests.flatMap(({ refusal, ...columns }) => {
      const [found = null] = checkFormColumns(form, content, columns, today);
      return isDeepStrictEqual(found, refusal) ? [] : [{ found, refusal, today, form, columns }];
    }),
  );

  expect(CASES.flatMap(({ requests }) => requests)).toHaveLength(2000);
  expect(differences).toEqual([]);
});
