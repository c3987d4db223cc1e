import { expect, test } from "vitest";
import { FAQ } from "./faq";
import { ALL_TIERS } from "./plans";
import { STATS } from "./stats";
import { TESTIMONIALS } from "./testimonials";

const keys = (rows: object[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))].toSorted();

test("ENT-20 a tier has title, description, price, features, a call to action, and whether it is popular", () => {
  expect(keys(ALL_TIERS)).toEqual(["cta", "description", "features", "isPopular", "price", "title"]);
  expect(keys(ALL_TIERS.flatMap(({ price }) => price ?? []))).toEqual(["amount", "currency", "frequency"]);
  expect(keys(ALL_TIERS.map(({ cta }) => cta))).toEqual(["link", "text"]);
  expect(ALL_TIERS.filter(({ isPopular }) => isPopular).map(({ title }) => title)).toEqual(["Professional"]);
});

test("ENT-21 testimonials, questions and figures have the fields that the page shows", () => {
  expect(keys(TESTIMONIALS)).toEqual(["author", "company", "quote", "role"]);
  expect(keys(FAQ)).toEqual(["answer", "question"]);
  expect(keys(STATS)).toEqual(["label", "prefix", "suffix", "value"]);
});
