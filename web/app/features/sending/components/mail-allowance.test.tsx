import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { allowanceSentence } from "../model";
import SendPdfDialog from "./send-pdf-dialog";
import SendWaiverDialog from "./send-waiver-dialog";

const template = { id: "tpl-1", name: "River day", content: "I, [PARTICIPANT NAME], agree." };
const MESSAGE_FIELD = /^Email Message/;

test.each([
  [{ perDay: null, sentToday: 0, needsConfirmedAddress: false }, undefined],
  [{ perDay: 300, sentToday: 12, needsConfirmedAddress: false }, "You can send 288 more emails today."],
  [{ perDay: 300, sentToday: 299, needsConfirmedAddress: false }, "You can send 1 more email today."],
  [
    { perDay: 300, sentToday: 301, needsConfirmedAddress: false },
    "You have sent 300 emails today. You can send more tomorrow.",
  ],
])("the allowance %j is described as %j", (allowance, sentence) => {
  expect(allowanceSentence(allowance)).toBe(sentence);
});

test.each([
  ["a link", SendWaiverDialog],
  ["a PDF", SendPdfDialog],
])(
  "while the company's address is not confirmed, the dialog for %s asks to confirm it and has no field for a message",
  async (_, SendDialog) => {
    const allowance = { perDay: 5, sentToday: 2, needsConfirmedAddress: true };
    serve({ "POST /functions/v1/mail-allowance": { body: allowance } });
    signInAs(ROSA);
    show(<SendDialog template={template} onClose={() => {}} />, "/dashboard/waivers");

    expect(await screen.findByText(/You can send 3 more emails today\. Confirm your email/)).toBeVisible();
    await waitFor(() => expect(screen.queryByLabelText(MESSAGE_FIELD)).not.toBeInTheDocument());
  },
);

test("without a limit, the dialog has a field for a message and shows no allowance", async () => {
  serve({});
  signInAs(ROSA);
  show(<SendWaiverDialog template={template} onClose={() => {}} />, "/dashboard/waivers");

  expect(await screen.findByLabelText(MESSAGE_FIELD)).toBeVisible();
  expect(screen.queryByText(/more email/)).not.toBeInTheDocument();
});
