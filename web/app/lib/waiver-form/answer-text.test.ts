import { expect, test } from "vitest";
import { answerText } from "./answer-text";
import type { Answer, Question } from "./types";

const options = [{ value: "no", label: "Not at all" }];

test.each<[Partial<Question>, Answer, string]>([
  // The database returns the fields in the order of their names.
  [
    { kind: "address" },
    { city: "Moab", postal_code: "84532", street: "1 Main St" },
    "1 Main St, 84532, Moab",
  ],
  [
    { kind: "emergency_contact" },
    { name: "Ana", phone: "+1 555 0100", relationship: "sister" },
    "Ana, sister, +1 555 0100",
  ],
  [{ kind: "agreement" }, true, "Agreed"],
  [{ kind: "yes_no" }, false, "No"],
  [{ kind: "several_of", options }, ["no"], "Not at all"],
  [{ kind: "one_of", options }, "no", "Not at all"],
  [{ kind: "birth_date" }, "2017-05-01", "May 1, 2017"],
  [{ kind: "short_text" }, null, ""],
])("%j answered with %j is shown as %s", (question, answer, text) => {
  expect(answerText({ key: "q", label: "?", kind: "short_text", ...question }, answer)).toBe(text);
});
