import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { serve } from "~/../testing/server";
import { show } from "~/../testing/show";
import { TEMPLATE_ROW } from "~/../testing/template-row";
import { toTemplate } from "~/features/templates/model";
import { TemplateDialogs } from "./template-dialogs";

const SWIMS = { key: "swims", kind: "yes_no", label: "Do you swim?" };
const template = toTemplate({ ...TEMPLATE_ROW, form: { questions: [SWIMS] } });
const SAVED = { "PATCH /rest/v1/waiver_templates": { body: [{ id: "tpl-1" }] } };

async function openQuestions(editButton = "Edit") {
  show(<TemplateDialogs openDialog={{ dialog: "view", template }} companyName="Rio" onClose={() => {}} />);
  await userEvent.click(await screen.findByRole("button", { name: editButton }));
  await userEvent.click(screen.getByRole("button", { name: "Questions (1)" }));
  return screen.findByRole("region", { name: "Questions" });
}

const openSwims = () => userEvent.click(screen.getByRole("button", { name: /1\. ?Do you swim/ }));
const save = () => userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

test("FORM-21 the questions are saved with the template, and a saved question keeps its key", async () => {
  const requests = serve(SAVED);
  await openQuestions();
  await openSwims();
  await userEvent.type(screen.getByLabelText("Question"), " Really?");
  await save();

  expect(await screen.findByText("Template saved")).toBeVisible();
  expect(requests[0]?.body).toMatchObject({
    name: "River day",
    form: { questions: [{ ...SWIMS, label: "Do you swim? Really?" }] },
  });
});

test("FORM-25 a form with problems is not sent: the questions are shown, and the field with the problem has the focus", async () => {
  const requests = serve(SAVED);
  await openQuestions();
  await openSwims();
  await userEvent.clear(screen.getByLabelText("Question"));
  await userEvent.click(screen.getByRole("button", { name: "Write" }));
  expect(screen.getByLabelText("Waiver Content")).toBeVisible();
  await save();

  await expect.poll(() => document.activeElement).toBe(await screen.findByLabelText("Question"));
  expect(screen.getByLabelText("Question")).toHaveAccessibleDescription(/Please write the question\./);
  expect(requests).toEqual([]);
});

test("FORM-26 the server's refusal of a form is shown at its question", async () => {
  const error = {
    code: "form_invalid",
    message: "The form is not valid at questions[0].label: it is wrong.",
    details: { place: "questions[0].label", problem: "it is wrong" },
  };
  serve({ "PATCH /rest/v1/waiver_templates": { status: 400, body: error } });
  await openQuestions();
  await userEvent.click(screen.getByRole("button", { name: "Write" }));
  await save();

  expect(await screen.findByLabelText("Question")).toHaveValue("Do you swim?");
  expect(screen.getByText("The server did not accept this: it is wrong.")).toBeVisible();
  expect(
    screen.getByText("Your text is still here. Please look at what is marked in the questions."),
  ).toBeVisible();
});

test("FORM-32 unsaved questions are kept after a reload until they are discarded", async () => {
  serve({});
  await openQuestions();
  await openSwims();
  await userEvent.type(screen.getByLabelText("Question"), " Really?");
  cleanup();

  await openQuestions("Continue editing");
  expect(screen.getByText("Not saved yet.")).toBeVisible();
  expect(screen.getByRole("button", { name: /1\. ?Do you swim\? Really\?/ })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Discard changes" }));
  expect(screen.getByRole("button", { name: /1\. ?Do you swim\?$/ })).toBeVisible();
  await waitFor(() => expect(localStorage.getItem("templateDrafts")).toBe("{}"));
});

test("FORM-28 a button inserts [INITIALS] and adds a form, and without a form a typed [INITIALS] is plain text", async () => {
  const requests = serve({ "POST /rest/v1/waiver_templates": { status: 201, body: [{ id: "tpl-2" }] } });
  show(<TemplateDialogs openDialog={{ dialog: "create" }} companyName="Rio" onClose={() => {}} />);
  const content = await screen.findByLabelText("Waiver Content");
  await userEvent.type(screen.getByLabelText("Template Name"), "River");
  // userEvent types "[[" as a single bracket.
  await userEvent.type(content, "[[INITIALS] ");
  expect(content).toHaveAccessibleDescription(/\[INITIALS\] is not a placeholder/);
  await userEvent.click(screen.getByRole("button", { name: "Insert [INITIALS]" }));
  expect(content).toHaveValue("[INITIALS] [INITIALS]");
  expect(content).not.toHaveAccessibleDescription(/is not a placeholder/);
  expect(content).toHaveAccessibleDescription(/At each \[INITIALS\] guests enter their initials\./);
  await userEvent.click(screen.getByRole("button", { name: "Create Template" }));

  await waitFor(() => expect(requests[0]?.body).toMatchObject({ form: { questions: [] } }));
});

test("FORM-34 the preview shows the questions as guests see them, and a follow-up after the answer that it depends on", async () => {
  const requests = serve(SAVED);
  await openQuestions();
  const preview = screen.getByRole("region", { name: "Preview of the questions" });
  await userEvent.selectOptions(screen.getByLabelText("Kind of question"), "Short answer");
  await userEvent.click(screen.getByRole("button", { name: "Add question" }));
  await userEvent.type(screen.getByLabelText("Question"), "How far?");
  await userEvent.click(screen.getByLabelText("Show only after a certain answer"));
  expect(within(preview).queryByLabelText(/How far\?/)).toBeNull();
  await userEvent.click(within(preview).getByLabelText("Yes"));
  await userEvent.type(within(preview).getByLabelText(/How far\?/), "50 m{Enter}");

  expect(within(preview).getByLabelText(/How far\?/)).toHaveValue("50 m");
  expect(requests).toEqual([]);
});

test("FORM-34 the preview can be answered as a child, if the signature covers minors", async () => {
  serve({});
  await openQuestions();
  await openSwims();
  await userEvent.selectOptions(screen.getByLabelText("Who is asked"), "Minors");
  const preview = screen.getByRole("region", { name: "Preview of the questions" });
  expect(within(preview).getByText("No questions.")).toBeVisible();
  expect(within(preview).queryByRole("button", { name: "A child" })).toBeNull();
  await userEvent.click(screen.getByLabelText("The signer and minors"));
  await userEvent.click(within(preview).getByRole("button", { name: "A child" }));

  expect(within(preview).getByRole("group", { name: /Do you swim\?/ })).toBeVisible();
});
