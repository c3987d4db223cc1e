import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { deferredResponse, serve } from "~/../testing/server";
import Support from "./support";

const PATH = "/dashboard/help/support";
const SEND = "POST /functions/v1/ask-support";

beforeEach(() => sessionStorage.clear());

async function fillIn(fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) {
    // The fields are filled in one after the other, as a user would do it.
    // oxlint-disable-next-line no-await-in-loop
    await userEvent.type(screen.getByLabelText(new RegExp(`^${label}`)), text);
  }
}
const send = () => userEvent.click(screen.getByRole("button", { name: "Send message" }));

test("a message names its sender, and the receipt says where the reply goes", async () => {
  const { wait, respond } = deferredResponse();
  const requests = serve({
    [SEND]: {
      status: 201,
      body: { id: "5ca1ab1e-0000-4000-8000-000000000001", answerTo: "rosa@example.com" },
      wait,
    },
  });
  showToRosa(<Support />, PATH);
  expect(screen.getByText("Rosa Marín (rosa@example.com), Rio Rafting")).toBeVisible();

  await fillIn({ Subject: "A seal is red", Message: "What did I do wrong?" });
  await send();
  expect(screen.getByRole("button", { name: "Send message" })).toBeDisabled();
  respond();

  expect(await screen.findByText("We have your message")).toHaveFocus();
  expect(screen.getByRole("status")).toHaveTextContent("5ca1ab1e");
  expect(screen.getByRole("status")).toHaveTextContent("comes to rosa@example.com");
  expect(requests.find(({ path }) => path.endsWith("ask-support"))?.body).toEqual({
    subject: "A seal is red",
    message: "What did I do wrong?",
    waiver: "",
  });
  await userEvent.click(screen.getByRole("button", { name: "Write another" }));
  expect(screen.getByLabelText(/^Message/)).toHaveValue("");
});

test("missing fields are reported, and nothing is sent", async () => {
  const requests = serve({});
  showToRosa(<Support />, PATH);

  await fillIn({ "Waiver id": "the red one" });
  await send();

  expect(await screen.findByText("Please say in a few words what it is about")).toBeVisible();
  expect(screen.getByText("Please write your message")).toBeVisible();
  expect(screen.getByText("Please enter the id of one waiver, such as 3f2a9c1e")).toBeVisible();
  expect(screen.getByLabelText(/^Subject/)).toHaveFocus();
  expect(requests).toEqual([]);
});

test("an error of the server is shown, and the text stays even if the page is opened again", async () => {
  const reason = "Too many messages came from your account within an hour.";
  serve({ [SEND]: { status: 429, body: { error: reason, code: "too_many_inquiries" } } });
  showToRosa(<Support />, PATH);
  await fillIn({ Subject: "Once more", Message: "Still red." });
  await send();

  expect(await screen.findByRole("alert")).toHaveTextContent(`Your message was not sent: ${reason}`);
  document.body.replaceChildren();
  showToRosa(<Support />, PATH);
  expect(screen.getByLabelText(/^Subject/)).toHaveValue("Once more");
  expect(screen.getByLabelText(/^Message/)).toHaveValue("Still red.");
});
