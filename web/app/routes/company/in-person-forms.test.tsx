import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { stubCanvas } from "~/../testing/canvas";
import { echoId, guest, openDialog, responses, template } from "~/../testing/in-person";
import { serve } from "~/../testing/server";

beforeEach(() => void stubCanvas());

const FORM = {
  questions: [{ key: "asthma", kind: "yes_no", label: "Do you have asthma?", required: true }],
};

const next = () => userEvent.click(screen.getByRole("button", { name: "Continue" }));

async function signWithAsthma() {
  await guest.fillIn();
  await next();
  await userEvent.click(screen.getByLabelText("Yes"));
  await next();
  expect(screen.getByRole("region", { name: "Waiver text" })).toHaveTextContent("I, Gil Moreau, go with");
  await next();
  await guest.sign();
}

test("FORM-15 a guest fills in a form in person, and the answers are stored with the signature", async () => {
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FORM }] },
    "POST /rest/v1/signed_waivers": echoId,
  });
  openDialog(template.id);
  await signWithAsthma();

  expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
  expect(requests.find(({ path }) => path === "/rest/v1/signed_waivers")?.body).toMatchObject({
    signer_name: "Gil Moreau",
    answers: { asthma: true },
    participants: [],
    guardian: null,
  });
});

test("FORM-15 in person, too, a refused answer is shown next to its question", async () => {
  serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...template, form: FORM }] },
    "POST /rest/v1/signed_waivers": {
      status: 400,
      body: { code: "answer_invalid", message: "No.", details: { question: "asthma" }, hint: null },
    },
  });
  openDialog(template.id);
  await signWithAsthma();

  const question = await screen.findByRole("group", { name: "Do you have asthma?" });
  expect(question).toHaveAccessibleDescription("Please choose again.");
  expect(within(question).getByLabelText("Yes")).toBeChecked();
});
