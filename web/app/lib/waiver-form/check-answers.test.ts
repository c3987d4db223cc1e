import { expect, test } from "vitest";
import { checkAnswers, sharedAnswers, shownQuestions } from "./check-answers";
import type { Form } from "./types";

const TODAY = "2026-06-15";

const NOTES: Form = {
  questions: Array.from({ length: 6 }, (_, n) => ({ key: `note${n}`, kind: "long_text", label: "Notes" })),
};

test("the answers of one person can have 20,000 bytes", () => {
  const notes = (text: string) => Object.fromEntries(NOTES.questions.map(({ key }) => [key, text]));
  const check = (text: string) => checkAnswers(NOTES, notes(text), "signer", {}, TODAY).refusals;

  // Each of the six notes takes 13 more bytes, for its key and the marks around key and value.
  expect(check("n".repeat(3320))).toEqual([]);
  expect(check("n".repeat(3321))).toEqual([{ code: "answers_too_long" }]);
  expect(check("é".repeat(1661))).toEqual([{ code: "answers_too_long" }]);
  expect(check("n".repeat(4001)).map(({ code }) => code)).toEqual(
    NOTES.questions.map(() => "answer_invalid"),
  );
});

const ASTHMA: Form = {
  covers: { minors: {} },
  questions: [
    { key: "area", kind: "heading", label: "Health", asked_of: "participant" },
    { key: "asthma", kind: "yes_no", label: "Asthma?", asked_of: "participant" },
    { key: "photos", kind: "yes_no", label: "May we take photos?" },
    {
      key: "inhaler",
      kind: "yes_no",
      label: "Inhaler?",
      asked_of: "participant",
      show_if: { question: "asthma", is: true },
    },
    {
      key: "photo",
      kind: "photo",
      label: "Photo",
      asked_of: "minor",
      show_if: { question: "photos", is: true },
    },
  ],
};

test("a question to a minor depends on the signer's answer only if the minor is not asked the same question", () => {
  const shared = sharedAnswers(ASTHMA, { asthma: true, photos: true });
  const keys = (answers: object) =>
    shownQuestions(ASTHMA, 0, { ...answers }, shared, TODAY).map((question) => question.key);

  expect(shared).toEqual({ photos: true });
  expect(keys({})).toEqual(["area", "asthma", "photo"]);
  expect(keys({ asthma: true })).toEqual(["area", "asthma", "inhaler", "photo"]);
});
