import { expect, test } from "vitest";
import { planSentence, shortage } from "./allowance";

const NO_LIMIT = { emailsToday: null, waiversThisMonth: null };

test.each([
  [500, NO_LIMIT, undefined],
  [500, { emailsToday: undefined, waiversThisMonth: undefined }, undefined],
  [3, { emailsToday: 3, waiversThisMonth: 3 }, undefined],
  [
    5,
    { emailsToday: 3, waiversThisMonth: 900 },
    "You can send 3 more emails today. The other 2 stay here until you can send more.",
  ],
  [
    4,
    { emailsToday: 300, waiversThisMonth: 3 },
    "You can send 3 more waivers this month. The last one stays here until you can send more.",
  ],
  [
    4,
    { emailsToday: 0, waiversThisMonth: null },
    "You can send 0 more emails today. The list stays here until you can send more.",
  ],
])("APP-42 with %i people and %j left, the page says: %s", (count, remaining, sentence) => {
  expect(shortage(count, remaining)).toBe(sentence);
});

test("APP-42 the page says how many waivers the plan still covers", () => {
  expect(planSentence({ emailsToday: 3, waiversThisMonth: 412 })).toBe(
    "Your plan covers 412 more waivers this month.",
  );
  expect(planSentence({ emailsToday: 3, waiversThisMonth: 1 })).toBe(
    "Your plan covers 1 more waiver this month.",
  );
  expect(planSentence(NO_LIMIT)).toBeUndefined();
});
