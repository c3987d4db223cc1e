import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { show } from "~/../testing/show";
import type { Form } from "~/lib/waiver-form/types";
import FormEditor from "./form-editor";

const MEDICAL: Form = {
  questions: [
    { key: "asthma", kind: "yes_no", label: "Asthma?" },
    { key: "inhaler", kind: "yes_no", label: "Inhaler?" },
    { key: "size", kind: "number", label: "Shoe size" },
  ],
};

/** Shows the editor. The returned object always contains what the editor has reported last. */
function edit(form: Form | null = null, savedForm: Form | null = form) {
  const last: { form: object | null; hasProblems: boolean } = { form, hasProblems: false };
  const report = (next: object | null, hasProblems: boolean) =>
    Object.assign(last, { form: next, hasProblems });
  show(<Editor />);
  return last;

  function Editor() {
    const [failedAttempts, setFailedAttempts] = useState(0);
    const [refusal, setRefusal] = useState<{ place: string; problem: string } | null>(null);
    const props = { form, savedForm, hasInitials: false, refusal, failedAttempts };
    return (
      <>
        <FormEditor {...props} onChange={report} />
        <button type="button" onClick={() => setFailedAttempts(failedAttempts + 1)}>
          Try to save
        </button>
        <button
          type="button"
          onClick={() => setRefusal({ place: "questions[1].flag", problem: "it is wrong" })}
        >
          Refuse
        </button>
      </>
    );
  }
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const click = (name: string | RegExp) => userEvent.click(button(name));
const open = (label: string) =>
  userEvent.click(screen.getByRole("button", { name: new RegExp(`\\d\\. ?${label}`) }));
const order = () =>
  within(screen.getByRole("region", { name: "Questions" }))
    .getAllByRole("button", { expanded: false })
    .map(({ textContent }) => textContent);

async function addQuestion(kind: string, label: string) {
  await userEvent.selectOptions(screen.getByLabelText("Kind of question"), kind);
  await click("Add question");
  await userEvent.type(screen.getByLabelText("Question"), label);
}

test("FORM-21 a new question gets the focus, and what is entered in its fields becomes part of the form", async () => {
  const last = edit();
  expect(screen.getByText(/Nothing is asked yet/)).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Kind of question"), "Number");
  await click("Add question");
  expect(screen.getByLabelText("Question")).toHaveFocus();
  await userEvent.keyboard("Shoe size");
  await userEvent.type(screen.getByLabelText("Explanation"), "In EU sizes");
  await userEvent.selectOptions(screen.getByLabelText("Who is asked"), "Everyone who takes part");
  await userEvent.click(screen.getByLabelText("An answer is required"));
  await userEvent.click(screen.getByLabelText(/Sensitive/));
  await userEvent.type(screen.getByLabelText("Lowest number"), "20");
  await userEvent.type(screen.getByLabelText("Highest number"), "50");

  expect(last).toEqual({
    hasProblems: false,
    form: {
      questions: [
        {
          key: "shoe_size",
          kind: "number",
          label: "Shoe size",
          help: "In EU sizes",
          asked_of: "participant",
          required: true,
          sensitive: true,
          min: 20,
          max: 50,
        },
      ],
      covers: {},
    },
  });
});

test("FORM-21 a choice has options, which can be added and removed", async () => {
  const last = edit();
  await addQuestion("Choose one", "Level?");
  await userEvent.type(screen.getByLabelText("Option 1"), "Beginner");
  await userEvent.type(screen.getByLabelText("Option 2"), "Expert");
  await click("Add option");
  expect(screen.getByLabelText("Option 3")).toHaveFocus();
  await userEvent.keyboard("Guide");
  await click("Remove option 2");

  expect(last.form).toMatchObject({
    questions: [
      {
        options: [
          { value: "beginner", label: "Beginner" },
          { value: "guide", label: "Guide" },
        ],
      },
    ],
  });
});

test("FORM-22 a condition is built from an earlier question and its answer", async () => {
  const last = edit(MEDICAL);
  await open("Inhaler");
  await userEvent.click(screen.getByLabelText("Show only after a certain answer"));
  expect(screen.getByText("Show only if 'Asthma?' is Yes")).toBeVisible();
  expect(last.form).toMatchObject({ questions: [{}, { show_if: { question: "asthma", is: true } }, {}] });
  await userEvent.selectOptions(screen.getByLabelText("Answer"), "No");
  expect(last.form).toMatchObject({ questions: [{}, { show_if: { question: "asthma", is: false } }, {}] });
  await userEvent.selectOptions(screen.getByLabelText("Comparison"), "is answered");
  expect(last.form).toMatchObject({
    questions: [{}, { show_if: { question: "asthma", is_filled: true } }, {}],
  });
  await userEvent.click(screen.getByLabelText("Show only after a certain answer"));
  expect(last.form).toMatchObject(MEDICAL);

  await open("Asthma");
  expect(screen.queryByLabelText("Show only after a certain answer")).toBeNull();
});

test("FORM-22 a condition can name several options", async () => {
  const swims = {
    key: "swims",
    kind: "one_of" as const,
    label: "Swims?",
    options: ["Well", "Badly", "Never"].map((label) => ({ value: label.toLowerCase(), label })),
  };
  const last = edit({ questions: [swims, { key: "vest", kind: "yes_no", label: "Vest?" }] });
  await open("Vest");
  await userEvent.click(screen.getByLabelText("Show only after a certain answer"));
  await userEvent.selectOptions(screen.getByLabelText("Comparison"), "is one of");
  await userEvent.click(screen.getByLabelText("Never"));
  await userEvent.click(screen.getByLabelText("Badly"));
  await userEvent.click(screen.getByLabelText("Well"));

  expect(last.form).toMatchObject({
    questions: [{}, { show_if: { question: "swims", is_one_of: ["badly", "never"] } }],
  });
  expect(screen.getByText("Show only if 'Swims?' is Badly or Never")).toBeVisible();
});

test("FORM-23 a flag has the words that staff see, and the answer for which they see them", async () => {
  const last = edit(MEDICAL);
  await open("Asthma");
  await userEvent.click(screen.getByLabelText("Flag an answer for staff"));
  expect(last.hasProblems).toBe(true);
  await userEvent.type(screen.getByLabelText("What staff see"), "Asthma");

  expect(screen.getByText("Show staff 'Asthma' when the answer is Yes")).toBeVisible();
  expect(last).toMatchObject({
    hasProblems: false,
    form: { questions: [{ flag: { when: "yes", text: "Asthma" } }, {}, {}] },
  });
  await open("Asthma");
  expect(screen.getByText("Show staff 'Asthma' when the answer is Yes")).toBeVisible();
});

test("FORM-23 a birth date can be flagged below an age", async () => {
  const last = edit();
  await userEvent.click(
    within(screen.getByRole("group", { name: "Ready-made questions" })).getByText("Birth date"),
  );
  await userEvent.click(screen.getByLabelText("Flag an answer for staff"));
  await userEvent.type(screen.getByLabelText("What staff see"), "Child");
  await userEvent.clear(screen.getByLabelText("Age"));
  expect(screen.getByText("Please enter a whole number from 1 to 120.")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Age"), "9");

  expect(last.form).toMatchObject({ questions: [{ flag: { when: { age_below: 9 }, text: "Child" } }] });
});

test("FORM-30 Move up and Move down keep the focus, and the new position is announced", async () => {
  const last = edit(MEDICAL);
  button("Move down: Asthma?").focus();
  await userEvent.keyboard("{Enter}");
  expect(button("Move down: Asthma?")).toHaveFocus();
  expect(screen.getByText("'Asthma?' is now question 2 of 3.")).toBeInTheDocument();
  await userEvent.keyboard("{Enter}");
  expect(order()).toEqual(["1.Inhaler?", "2.Shoe size", "3.Asthma?"]);
  expect(button("Move down: Asthma?")).toHaveAttribute("aria-disabled", "true");
  await userEvent.keyboard("{Enter}");
  expect(button("Move down: Asthma?")).toHaveFocus();
  button("Move up: Asthma?").focus();
  await userEvent.keyboard("{Enter}{Enter}");

  expect(button("Move up: Asthma?")).toHaveFocus();
  expect(last.form).toMatchObject(MEDICAL);
});

test("FORM-30 a question that was moved before the one it depends on says so", async () => {
  const last = edit({
    questions: [
      { key: "asthma", kind: "yes_no", label: "Asthma?" },
      { key: "inhaler", kind: "yes_no", label: "Inhaler?", show_if: { question: "asthma", is: true } },
    ],
  });
  await click("Move up: Inhaler?");

  expect(screen.getByText("This question must come after 'Asthma?', on which it depends.")).toBeVisible();
  expect(last.hasProblems).toBe(true);
});

test("FORM-31 a question is duplicated, and a removed one comes back with Undo", async () => {
  const last = edit(MEDICAL);
  await click("Duplicate: Asthma?");
  expect(screen.getByLabelText("Question")).toHaveFocus();
  expect(last.form).toMatchObject({ questions: [{ key: "asthma" }, { key: "asthma_2" }, {}, {}] });
  await userEvent.click(screen.getAllByRole("button", { name: "Remove: Asthma?" })[1] ?? document.body);
  expect(last.form).toMatchObject(MEDICAL);
  await click("Remove: Inhaler?");
  expect(screen.getByText("'Inhaler?' was removed.")).toBeVisible();
  expect(button("Undo")).toHaveFocus();
  expect(last.form).toMatchObject({ questions: [{ key: "asthma" }, { key: "size" }] });
  await click("Undo");

  expect(last.form).toMatchObject(MEDICAL);
});

test("FORM-24 a signature can cover minors, up to a maximum number, and minors from a certain age sign too", async () => {
  const last = edit(MEDICAL);
  await userEvent.click(screen.getByLabelText("The signer and minors"));
  await userEvent.type(screen.getByLabelText("Minors at most"), "40");
  expect(screen.getByLabelText("Minors at most")).toHaveAccessibleDescription(
    /Please enter a whole number from 1 to 30/,
  );
  expect(last.hasProblems).toBe(true);
  await userEvent.clear(screen.getByLabelText("Minors at most"));
  await userEvent.type(screen.getByLabelText("Minors at most"), "4");
  await userEvent.type(screen.getByLabelText("Minors sign too from the age of"), "16");
  await userEvent.type(screen.getByLabelText("Age of majority"), "21");
  await userEvent.type(screen.getByLabelText("Lowest age to take part"), "8");
  await userEvent.type(screen.getByLabelText("Highest age to take part"), "70");
  expect(last).toMatchObject({
    hasProblems: false,
    form: {
      covers: {
        signer: true,
        minors: { most: 4, own_signature_from_age: 16 },
        age_of_majority: 21,
        minimum_age: 8,
        maximum_age: 70,
      },
    },
  });

  await userEvent.click(screen.getByLabelText("Only minors"));
  expect(last.form).toMatchObject({ covers: { signer: false, minors: { most: 4 } } });
  await userEvent.click(screen.getByLabelText("Only the signer"));
  expect(last.form).toMatchObject({ covers: { minimum_age: 8 } });
  expect(last.form).not.toHaveProperty("covers.minors");
  expect(screen.queryByLabelText("Minors at most")).toBeNull();
});

test("FORM-25 an empty field is reported when its question is closed or after an attempt to save, and the first problem gets the focus", async () => {
  edit({ questions: [{ key: "asthma", kind: "yes_no", label: "Asthma?" }] });
  await userEvent.selectOptions(screen.getByLabelText("Kind of question"), "Yes or no");
  await click("Add question");
  expect(screen.queryByText("Please write the question.")).toBeNull();
  await open("Asthma");
  expect(screen.getByText("Please write the question.")).toBeVisible();
  await click("Try to save");

  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText("Question"));
  expect(screen.getByLabelText("Question")).toHaveAccessibleDescription(/Please write the question\./);
});

test("FORM-26 a refusal of the server is shown at its question until the form is changed", async () => {
  edit(MEDICAL);
  await click("Refuse");
  expect(await screen.findByText("The server did not accept this: it is wrong.")).toBeVisible();
  expect(screen.getByLabelText("Question")).toHaveValue("Inhaler?");
  await userEvent.type(screen.getByLabelText("Question"), "!");

  expect(screen.queryByText("The server did not accept this: it is wrong.")).toBeNull();
});
