import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import {
  asksBeforeLeaving,
  LIST_PAGE_RESPONSES,
  rowTexts,
  sentEmails,
  showListPreview,
} from "~/../testing/send-list-page";
import { deferredResponse, serve } from "~/../testing/server";
import { forgetListDraft } from "~/features/sending/list/list-draft";
import { closeRun } from "~/features/sending/list/run-store";

const EMAIL = "POST /functions/v1/send-email";
const MAILBOX_FULL = { status: 502, body: { error: "Mailbox full", code: "email_not_delivered" } };
const DELIVERED = { body: { id: "m1", status: "delivered" } };

afterEach(() => {
  closeRun();
  forgetListDraft();
});

test("APP-42 the outcome of each row is shown, and those that failed are sent again", async () => {
  let isFull = true;
  const requests = serve({
    ...LIST_PAGE_RESPONSES,
    [EMAIL]: ({ body }) => (isFull && JSON.stringify(body).includes("ana@") ? MAILBOX_FULL : DELIVERED),
  });
  await showListPreview("Gil Moreau,gil@example.com\nAna Ortiz,ana@example.com\nNoor,noor@");
  await userEvent.type(screen.getByLabelText(/^Email Message/), "See you soon.");
  await userEvent.click(screen.getByRole("button", { name: "Send to 2 people" }));

  expect(await screen.findByRole("heading", { name: "1 of 2 people did not get the waiver" })).toBeVisible();
  expect(rowTexts("Outcome")).toEqual([
    expect.stringMatching(/^Ana Ortiz.*Mailbox full.*Failed/),
    expect.stringMatching(/^Gil Moreau.*Delivered/),
  ]);
  expect(sentEmails(requests)).toMatchObject([
    { body: expect.stringContaining("See you soon.") },
    { body: expect.stringContaining("See you soon.") },
  ]);

  isFull = false;
  await userEvent.click(screen.getByRole("button", { name: "Try 1 again" }));
  expect(await screen.findByRole("heading", { name: "Sent to 2 people" })).toBeVisible();
  expect(sentEmails(requests)).toHaveLength(3);

  await userEvent.click(screen.getByRole("button", { name: "Send another list" }));
  expect(await screen.findByLabelText(/^Recipients/)).toHaveValue("");
});

test("APP-42 a row that failed is corrected and sent as a new waiver, and the wrong one is cancelled", async () => {
  const requests = serve({
    ...LIST_PAGE_RESPONSES,
    "POST /rest/v1/rpc/cancel_waiver": { status: 204 },
    [EMAIL]: ({ body }) => (JSON.stringify(body).includes("anna@") ? MAILBOX_FULL : DELIVERED),
  });
  await showListPreview("Ana Ortiz,anna@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send to 1 person" }));
  await userEvent.click(await screen.findByRole("button", { name: "Fix Ana Ortiz" }));
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("button", { name: "Fix Ana Ortiz" })).toHaveFocus();
  await userEvent.click(screen.getByRole("button", { name: "Fix Ana Ortiz" }));
  const email = screen.getByLabelText("Email");
  await userEvent.clear(email);
  await userEvent.type(email, "ana{Enter}");
  expect(screen.getByRole("alert")).toHaveTextContent("The @ sign is missing.");
  await userEvent.type(email, "@example.com{Enter}");

  expect(await screen.findByRole("heading", { name: "Sent to 1 person" })).toBeVisible();
  const sessions = requests.filter(({ path }) => path.endsWith("/waiver_sessions") && path.includes("rest"));
  const created = sessions.filter(({ method }) => method === "POST").map(({ body }) => Object(body).id);
  const cancelled = requests.filter(({ path }) => path.endsWith("cancel_waiver")).map(({ body }) => body);
  expect(new Set(created).size).toBe(2);
  expect(cancelled).toMatchObject([{ session_id: created[0] }]);
  expect(sentEmails(requests)).toMatchObject([
    { to: "anna@example.com", sessionId: created[0] },
    { to: "ana@example.com", sessionId: created[1] },
  ]);
});

test("APP-42 a correction that the server refuses stays in its fields with the reason", async () => {
  serve({
    ...LIST_PAGE_RESPONSES,
    "POST /rest/v1/rpc/cancel_waiver": { status: 400, body: { code: "x", message: "Already signed." } },
    [EMAIL]: MAILBOX_FULL,
  });
  await showListPreview("Ana Ortiz,anna@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send to 1 person" }));
  await userEvent.click(await screen.findByRole("button", { name: "Fix Ana Ortiz" }));
  await userEvent.click(screen.getByRole("button", { name: "Save and send" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Already signed.");
  expect(screen.getByLabelText("Email")).toHaveValue("anna@example.com");
});

test("APP-42 a row that failed is not corrected before the rest of the list is sent", async () => {
  const limit = { status: 429, body: { error: "That is all for today.", code: "daily_limit_reached" } };
  serve({
    ...LIST_PAGE_RESPONSES,
    [EMAIL]: ({ body }) => (JSON.stringify(body).includes("ana@") ? MAILBOX_FULL : limit),
  });
  await showListPreview("Ana Ortiz,ana@example.com\nGil Moreau,gil@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send to 2 people" }));

  expect(await screen.findByRole("button", { name: "Continue" })).toBeVisible();
  expect(rowTexts("Outcome")[0]).toMatch(/^Ana Ortiz.*Mailbox full/);
  expect(screen.queryByRole("button", { name: "Fix Ana Ortiz" })).toBeNull();
});

test("APP-42 a row whose waiver was refused has no link to it", async () => {
  serve({
    ...LIST_PAGE_RESPONSES,
    "POST /rest/v1/waiver_sessions": { status: 400, body: { code: "PT400", message: "Not possible." } },
  });
  await showListPreview("Ana Ortiz,ana@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send to 1 person" }));

  expect(await screen.findByText("Not possible.")).toBeVisible();
  expect(screen.queryByRole("link", { name: /^Open the waiver/ })).toBeNull();
});

test("APP-42 rows that were not sent are listed with their reason, and fixed in a new preview", async () => {
  const requests = serve(LIST_PAGE_RESPONSES);
  await showListPreview('Gil Moreau,gil@example.com\n"Ana ""A"" Ortiz",ana@\nGil Moreau,gil@example.com');
  await userEvent.type(screen.getByLabelText(/^Email Message/), "See you soon.");
  await userEvent.click(screen.getByRole("button", { name: "Send to 1 person" }));

  expect(await screen.findByRole("heading", { name: "2 rows were not sent" })).toBeVisible();
  expect(rowTexts("2 rows were not sent")).toEqual([
    'Ana "A" Ortizana@The part after the @ sign is missing.',
    "Gil Moreaugil@example.comThe same person as in row 1.",
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Fix these rows" }));

  expect(rowTexts("Rows")[0]).toContain('Ana "A" Ortiz');
  expect(screen.getByLabelText(/^Email Message/)).toHaveValue("See you soon.");
  expect(sentEmails(requests)).toHaveLength(1);
});

test("APP-42 while a list is sent, the title has the focus and the browser asks before it is closed", async () => {
  const { wait, respond } = deferredResponse();
  const requests = serve({ ...LIST_PAGE_RESPONSES, [EMAIL]: { ...DELIVERED, wait } });
  await showListPreview("Gil Moreau,gil@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send to 1 person" }));

  expect(await screen.findByRole("heading", { name: "Sending: 0 of 1" })).toHaveFocus();
  expect(screen.getByRole("progressbar", { name: "Sent" })).toHaveAttribute("aria-valuenow", "0");
  expect(asksBeforeLeaving()).toBe(true);
  respond();
  expect(await screen.findByRole("heading", { name: "Sent to 1 person" })).toBeVisible();
  expect(asksBeforeLeaving()).toBe(false);
  // How many waivers the plan still covers has changed.
  await waitFor(() =>
    expect(requests.filter(({ path }) => path.endsWith("waiver_allowance"))).toHaveLength(2),
  );
});

test("APP-42 the rest of a list that was stopped is forgotten only after a confirmation", async () => {
  const { wait, respond } = deferredResponse();
  serve({ ...LIST_PAGE_RESPONSES, [EMAIL]: { ...DELIVERED, wait } });
  await showListPreview(
    ["Ana", "Bea", "Gil", "Noor", "Rosa", "Sam"].map((name) => `${name},${name}@example.com`).join("\n"),
  );
  await userEvent.click(screen.getByRole("button", { name: "Send to 6 people" }));
  await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
  expect(screen.getByRole("button", { name: "Stopping" })).toBeDisabled();
  respond();

  await userEvent.click(await screen.findByRole("button", { name: "Do not send the other 2" }));
  const dialog = screen.getByRole("dialog", { name: "Do not send the other 2?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Keep the list" }));
  expect(screen.getByRole("heading", { name: "4 of 6 done" })).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Do not send the other 2" }));
  await userEvent.click(screen.getByRole("button", { name: "Do not send" }));
  expect(await screen.findByLabelText(/^Recipients/)).toHaveValue("");
});
