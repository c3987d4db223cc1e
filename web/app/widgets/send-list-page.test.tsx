import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { goOffline } from "~/../testing/network";
import {
  asksBeforeLeaving,
  LIST_OWNER,
  LIST_PAGE_RESPONSES,
  openListPage,
  rowTexts,
  sentEmails,
  showListPreview,
} from "~/../testing/send-list-page";
import { deferredResponse, serve } from "~/../testing/server";
import { closeRun } from "~/features/sending/list/run-store";
import { forgetListDraft } from "~/features/sending/list/list-draft";
import SendListPage from "./send-list-page";

const LIST = "First name;Last name;E-Mail;Trip\nGil;Moreau;GIL@example.com;May\nNoor;Haddad;noor@example;May";

afterEach(() => {
  closeRun();
  forgetListDraft();
});

test("APP-40 the preview shows each row as it will be stored, with a reason beside those that cannot be sent", async () => {
  serve(LIST_PAGE_RESPONSES);
  await showListPreview(LIST);

  const [gil, noor] = rowTexts("Rows");
  expect(gil).toContain("Gil Moreau");
  expect(gil).toContain("gil@example.com");
  expect(noor).toContain('The ending is missing, such as ".com".');
  expect(screen.getByText("1 of 2 people will get the waiver. 1 row needs to be fixed.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Send to 1 person" })).toBeEnabled();
});

test("APP-40 a row is fixed, left out and put back in its place", async () => {
  serve(LIST_PAGE_RESPONSES);
  await showListPreview(LIST);

  await userEvent.click(screen.getByRole("button", { name: "Fix Noor Haddad" }));
  const email = screen.getByLabelText("Email");
  await userEvent.clear(email);
  await userEvent.type(email, " Noor@Example.com {Enter}");
  expect(await screen.findByText("All 2 people will get the waiver.")).toBeVisible();
  expect(rowTexts("Rows")[1]).toContain("noor@example.com");
  expect(screen.getByRole("button", { name: "Edit Noor Haddad" })).toHaveFocus();

  await userEvent.click(screen.getByRole("button", { name: "Leave out Gil Moreau" }));
  expect(screen.getByText("1 of 2 people will get the waiver. 1 is left out.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Put back Gil Moreau" }));
  expect(screen.getByText("All 2 people will get the waiver.")).toBeVisible();
});

test("APP-40 the user changes what a column contains and whether there is a heading", async () => {
  serve(LIST_PAGE_RESPONSES);
  await showListPreview(LIST);
  expect(screen.getByLabelText("Column 1")).toHaveValue("firstName");
  expect(screen.getByLabelText("Column 4")).toHaveValue("ignored");

  await userEvent.selectOptions(screen.getByLabelText("Column 4"), "Name");
  expect(rowTexts("Rows")[0]).toContain("May");
  expect(screen.getByLabelText("Column 1")).toHaveValue("ignored");

  await userEvent.click(screen.getByLabelText("The first row is a heading"));
  expect(rowTexts("Rows")).toHaveLength(3);

  await userEvent.selectOptions(screen.getByLabelText("Columns are separated by"), "Commas");
  expect(screen.queryByLabelText("Column 2")).toBeNull();
});

test("APP-43 too many rows are refused with the limit, and an empty list too", async () => {
  serve(LIST_PAGE_RESPONSES);
  const field = await openListPage();
  await userEvent.click(screen.getByRole("button", { name: "Show preview" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Please add at least one person.");

  await userEvent.click(field);
  await userEvent.paste(
    Array.from({ length: 501 }, (_, row) => `Guest ${row},g${row}@example.com`).join("\n"),
  );
  await userEvent.click(screen.getByRole("button", { name: "Show preview" }));
  expect(screen.getByRole("alert")).toHaveTextContent(/^This list has 501 rows\. Please send at most 500/);
});

test("APP-40 people who have the waiver already are left out unless the user decides otherwise", async () => {
  const requests = serve({
    ...LIST_PAGE_RESPONSES,
    "GET /rest/v1/waiver_sessions": {
      body: [{ recipient_email: "gil@example.com", created_at: new Date(Date.now() - 3 * 86_400_000) }],
    },
  });
  await showListPreview("Gil Moreau,gil@example.com\nAna Ortiz,ana@example.com");

  expect(await screen.findByText("Got this waiver 3 days ago and has not signed it yet.")).toBeVisible();
  const [check] = requests.filter(({ method, path }) => method === "GET" && path.endsWith("waiver_sessions"));
  expect(check?.query.get("recipient_email")).toBe("in.(ana@example.com,gil@example.com)");
  expect(check?.query.get("template_id")).toBe("eq.tpl-1");
  expect(screen.getByRole("button", { name: "Send to 1 person" })).toBeEnabled();
  await userEvent.click(screen.getByRole("button", { name: "Send anyway to Gil Moreau" }));
  expect(screen.getByRole("button", { name: "Send to 2 people" })).toBeEnabled();
});

test("APP-42 the page says how much can be sent, and how many people that leaves out", async () => {
  const allowance = { perDay: 300, sentToday: 299, needsConfirmedAddress: false };
  serve({ ...LIST_PAGE_RESPONSES, "POST /functions/v1/mail-allowance": { body: allowance } });
  await showListPreview("Gil Moreau,gil@example.com\nAna Ortiz,ana@example.com");

  expect(await screen.findByText("You can send 1 more email today.")).toBeVisible();
  expect(await screen.findByText("Your plan covers 10 more waivers this month.")).toBeVisible();
  expect(screen.getByText(/The last one stays here until you can send more\.$/)).toBeVisible();
});

test("APP-42 until the address is confirmed, there is no message and no PDF", async () => {
  const allowance = { perDay: 5, sentToday: 0, needsConfirmedAddress: true };
  serve({ ...LIST_PAGE_RESPONSES, "POST /functions/v1/mail-allowance": { body: allowance } });
  await showListPreview("Gil Moreau,gil@example.com");

  expect(await screen.findByText(/Confirm your email address/)).toBeVisible();
  expect(screen.queryByLabelText(/^Email Message/)).toBeNull();
  expect(screen.queryByLabelText(/interactive PDF/)).toBeNull();
});

test("PLAN-09 the number of text messages has to be confirmed before anything is sent", async () => {
  const text = { status: "delivered", error: null };
  const requests = serve({
    ...LIST_PAGE_RESPONSES,
    "POST /functions/v1/text-messages": { body: { offered: true } },
    "POST /functions/v1/send-email": { body: { id: "m", status: "delivered", text } },
  });
  await waitFor(async () => expect(await openListPage()).toBeVisible());
  await userEvent.click(screen.getByLabelText(/^Recipients/));
  await userEvent.paste(
    "Name,Email,Mobile\nGil Moreau,gil@example.com,+1 212 555 0123\nNoor Haddad,noor@example.com,\nAna Ortiz,ana@example.com,+12125550124",
  );
  await userEvent.click(screen.getByRole("button", { name: "Show preview" }));

  await userEvent.click(await screen.findByRole("button", { name: "Send to 3 people" }));
  expect(await screen.findByText("2 text messages will be sent in addition to the emails.")).toBeVisible();
  expect(sentEmails(requests)).toEqual([]);

  await userEvent.click(screen.getByRole("button", { name: "Send all of them" }));
  expect(await screen.findByRole("heading", { name: "Sent to 3 people" })).toBeVisible();
  expect(sentEmails(requests)).toMatchObject([
    { to: "gil@example.com", phone: "+1 212 555 0123" },
    { to: "noor@example.com" },
    { to: "ana@example.com", phone: "+12125550124" },
  ]);
});

test("APP-42 the list stays in the preview while the server cannot be reached", async () => {
  const requests = serve(LIST_PAGE_RESPONSES);
  await showListPreview("Gil Moreau,gil@example.com");
  goOffline();

  await userEvent.click(screen.getByRole("button", { name: "Send to 1 person" }));

  expect(screen.getByText(/^No connection, so nothing was sent\./)).toBeVisible();
  expect(rowTexts("Rows")).toHaveLength(1);
  expect(sentEmails(requests)).toEqual([]);
});

test("the template of the URL is chosen, and another one can be", async () => {
  serve(LIST_PAGE_RESPONSES);
  await openListPage("tpl-2");

  expect(screen.getByLabelText("Waiver")).toHaveDisplayValue("Night paddle");
  await userEvent.selectOptions(screen.getByLabelText("Waiver"), "River day");
  expect(screen.getByLabelText("Waiver")).toHaveDisplayValue("River day");
});

test("a company without a waiver is asked to write one", async () => {
  serve({ ...LIST_PAGE_RESPONSES, "GET /rest/v1/waiver_templates": { body: [] } });
  showToRosa(<SendListPage owner={LIST_OWNER} templateId="" />, "/dashboard/waivers");

  expect(await screen.findByRole("heading", { name: "There is no waiver to send yet" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to your waivers" })).toHaveAttribute(
    "href",
    "/dashboard/waivers",
  );
});

test("templates that are loading or cannot be loaded are announced", async () => {
  const { wait, respond } = deferredResponse();
  const failure = { status: 404, body: { code: "x", message: "no" }, wait };
  serve({ ...LIST_PAGE_RESPONSES, "GET /rest/v1/waiver_templates": failure });
  showToRosa(<SendListPage owner={LIST_OWNER} templateId="tpl-1" />, "/dashboard/waivers");

  expect(screen.getByText("Loading templates...")).toBeInTheDocument();
  respond();
  expect(await screen.findByText("Your templates could not be loaded")).toBeVisible();
});

test("APP-40 the list stays while the user looks at another page, and the browser asks before it is closed", async () => {
  serve(LIST_PAGE_RESPONSES);
  const field = await openListPage();
  expect(asksBeforeLeaving()).toBe(false);
  await userEvent.click(field);
  await userEvent.paste(LIST);
  await userEvent.click(screen.getByRole("button", { name: "Show preview" }));
  await userEvent.click(screen.getByRole("button", { name: "Leave out Gil Moreau" }));
  await userEvent.type(screen.getByLabelText(/^Email Message/), "See you soon.");
  expect(asksBeforeLeaving()).toBe(true);

  cleanup();
  expect(asksBeforeLeaving()).toBe(false);
  showToRosa(<SendListPage owner={LIST_OWNER} templateId="tpl-1" />, "/dashboard/waivers");

  expect(await screen.findByRole("button", { name: "Put back Gil Moreau" })).toBeVisible();
  expect(screen.getByLabelText(/^Email Message/)).toHaveValue("See you soon.");
});

test("APP-40 what was changed in a row stays when other rows are added to the list", async () => {
  serve(LIST_PAGE_RESPONSES);
  const list = "Gil Moreau,gil@example.com\nGil Moreau,gil@example.com\nNoor Haddad,noor@";
  await showListPreview(list);
  await userEvent.click(screen.getByRole("button", { name: "Fix Noor Haddad" }));
  await userEvent.type(screen.getByLabelText("Email"), "example.com{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Send anyway to Gil Moreau" }));

  await userEvent.click(screen.getByRole("button", { name: "Change the list" }));
  expect(screen.getByRole("group", { name: "List" })).toHaveFocus();
  const field = screen.getByLabelText(/^Recipients/);
  await userEvent.clear(field);
  await userEvent.paste(`Ana Ortiz,ana@example.com\n${list}`);
  await userEvent.click(screen.getByRole("button", { name: "Show preview" }));

  expect(await screen.findByText("All 4 people will get the waiver.")).toBeVisible();
  expect(rowTexts("Rows")[3]).toContain("noor@example.com");
});

test("APP-40 the page says if it is unknown who has the waiver already, and asks again", async () => {
  let isBroken = true;
  const waiting = { recipient_email: "gil@example.com", created_at: "2026-03-03T12:00:00Z" };
  serve({
    ...LIST_PAGE_RESPONSES,
    "GET /rest/v1/waiver_sessions": () =>
      isBroken ? { status: 404, body: { code: "x", message: "no" } } : { body: [waiting] },
  });
  await showListPreview("Gil Moreau,gil@example.com");
  expect(await screen.findByText(/have this waiver already could not be checked/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Send to 1 person" })).toBeEnabled();

  isBroken = false;
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));

  expect(await screen.findByRole("button", { name: "Send anyway to Gil Moreau" })).toBeVisible();
  expect(screen.queryByText(/could not be checked/)).toBeNull();
});

test("APP-40 a long list is shown as a whole on request", async () => {
  serve(LIST_PAGE_RESPONSES);
  await showListPreview(
    Array.from({ length: 60 }, (_, row) => `Guest ${row},g${row}@example.com`).join("\n"),
  );

  await expectRowsToChange(50, "Show all 60 rows", 60);
});

test("APP-40 a fixed row leaves the marked rows, and the keyboard continues at the title", async () => {
  serve(LIST_PAGE_RESPONSES);
  await showListPreview(`${LIST}\nAna;Ortiz;ana@;May`);
  await userEvent.click(screen.getByLabelText("Show only marked rows"));

  await expectRowsToChange(2, "Leave out Noor Haddad", 1);
});

/** The button disappears, so the keyboard has to continue at the title. */
async function expectRowsToChange(countBefore: number, button: string, countAfter: number): Promise<void> {
  expect(rowTexts("Rows")).toHaveLength(countBefore);
  await userEvent.click(screen.getByRole("button", { name: button }));
  expect(rowTexts("Rows")).toHaveLength(countAfter);
  expect(screen.getByRole("heading", { name: "Preview" })).toHaveFocus();
}
