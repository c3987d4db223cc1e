import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { SESSION } from "./fake-server.testing";
import * as form from "./form.testing";
import * as page from "./page.testing";

page.setUpEachTest();

const FORM = { ...form.FAMILY_FORM, questions: [] };
const COMPANY = { company_id: "c0000000-0000-4000-8000-000000000001" };

beforeEach(() => void vi.stubGlobal("navigator", { ...navigator, clipboard: undefined }));

/** The page loads the part that invites adults only when it needs it. */
async function loaded() {
  await vi.dynamicImportSettled();
  await page.advance();
}

async function addNia(birthDate = "2007-05-01") {
  await form.addChild("Nia Okafor", birthDate);
  await loaded();
}

async function makeLink() {
  await form.click("Make their own link");
  await loaded();
}

const link = () => within(screen.getByRole("region", { name: "Link for Nia Okafor" }));

async function send(label: string, recipient: string) {
  fireEvent.change(link().getByLabelText(label), { target: { value: recipient } });
  const [button] = link()
    .getAllByRole("button", { name: "Send the link" })
    .slice(label.startsWith("Email") ? 0 : -1);
  fireEvent.click(button ?? document.body);
  await page.advance();
}

test("FORM-46 an adult among the children gets a link of their own, and the guest goes on with the others", async () => {
  await form.openForm(FORM, COMPANY);
  await form.addChild("Mia Okafor", "2018-05-01");
  await addNia();
  expect(screen.getByRole("region", { name: "Nia Okafor" })).toHaveTextContent(
    "Nia Okafor is 19 years old and signs on their own: your signature cannot cover an adult.",
  );
  await makeLink();

  const [adult] = page.server.invitedAdults;
  expect(page.server.invitedAdults).toHaveLength(1);
  expect(adult).toMatchObject({ session_id: SESSION.id, name: "Nia Okafor", birth_date: "2007-05-01" });
  const path = `/waivers/sign/session/${String(adult?.invited_id)}`;
  expect(link().getByRole("img")).toHaveAttribute("src", `${path}/qr.svg`);
  expect(link().getByRole("heading", { name: "Nia Okafor signs with their own link" })).toHaveFocus();
  fireEvent.click(link().getByRole("button", { name: "Copy the link" }));
  await page.advance();
  expect(link().getByText(location.origin + path)).toBeVisible();

  expect(screen.queryByRole("group", { name: "Child 2" })).toBeNull();
  form.confirmGuardian();
  await form.next();
  await form.next();
  await form.signEverywhere();
  expect(form.sentRow()).toMatchObject({ session_id: SESSION.id, participants: [{ name: "Mia Okafor" }] });
});

test("FORM-46 the link is sent by email, and by text message where that is offered", async () => {
  page.server.offersTextMessages = true;
  await form.openForm(FORM, COMPANY);
  await addNia();
  await makeLink();
  await send("Email of Nia Okafor", " nia@example.com ");
  await send("Mobile number of Nia Okafor", "+41 79 123 45 67");

  const shared = { session_id: SESSION.id, invited_session_id: page.server.invitedAdults[0]?.invited_id };
  expect(page.server.sentInvitations).toEqual([
    { ...shared, email: "nia@example.com" },
    { ...shared, phone: "+41 79 123 45 67" },
  ]);
  expect(link().getAllByText(/on its way to/)).toHaveLength(2);
});

test("FORM-46 Enter sends the link, and does not go to the next step", async () => {
  await form.openForm(FORM, COMPANY);
  await addNia();
  await makeLink();
  const field = link().getByLabelText("Email of Nia Okafor");
  fireEvent.change(field, { target: { value: "nia@example.com" } });
  const event = fireEvent.keyDown(field, { key: "Enter" });
  await page.advance();

  expect(event, "the default action is prevented").toBe(false);
  expect(page.server.sentInvitations).toHaveLength(1);
  expect(link().queryByLabelText(/Mobile number/), "texts are not offered").toBeNull();
});

test("FORM-46 the error message of the server is shown, and the link can be sent again", async () => {
  page.server.invitationResponse = {
    status: 429,
    body: { error: "Too many links.", code: "too_many_invitations" },
  };
  await form.openForm(FORM, COMPANY);
  await addNia();
  await makeLink();
  await send("Email of Nia Okafor", "");
  expect(link().getByText("Please enter an email address.")).toBeVisible();
  await send("Email of Nia Okafor", "nia@example.com");
  expect(link().getByText("Too many links.")).toBeVisible();

  page.server.invitationResponse = { status: 202, body: { status: "sending" } };
  await send("Email of Nia Okafor", "nia@example.com");
  expect(link().getByText(/on its way to/)).toHaveTextContent("The link is on its way to nia@example.com.");
});

test("FORM-46 without a connection no link is made, and the page says why", async () => {
  await form.openForm(FORM, COMPANY);
  await addNia();
  page.server.isDown = true;
  await makeLink();
  expect(screen.getByText(/There is no connection at the moment/)).toBeVisible();
  expect(screen.getByRole("group", { name: "Child 1" })).toBeVisible();

  page.server.isDown = false;
  await makeLink();
  expect(link().getByRole("img")).toBeVisible();
});

test.each([
  ["a session", () => form.openForm(FORM, COMPANY)],
  ["a template", () => form.openTemplate(FORM)],
])(
  "FORM-46 on the page of %s, a second attempt after a lost response makes no second link",
  async (_, open) => {
    await open();
    page.fillIn("Your Name", "Ada");
    await addNia();
    page.server.losesResponses = true;
    await makeLink();
    expect(screen.getByText(/There is no connection at the moment/)).toBeVisible();
    const before = page.server.sessions.size;
    page.server.losesResponses = false;
    await makeLink();

    expect(page.server.sessions.size).toBe(before);
    expect(new Set(page.server.invitedAdults.map(({ invited_id }) => invited_id)).size).toBe(1);
    expect(screen.getByLabelText("Your Name")).toHaveValue("Ada");
  },
);

test("FORM-46 on the page of a template, the guest signs the session with which the adult was invited", async () => {
  await form.openTemplate(FORM);
  page.server.templates.set("tpl-river", { ...page.server.templates.get("tpl-river"), form: FORM });
  page.fillIn("Your Name", "Ada Okafor");
  page.fillIn("Your Email", "ada@example.com");
  await addNia();
  await makeLink();
  const sessionId = page.server.invitedAdults[0]?.session_id;
  expect(page.server.sessions.has(String(sessionId))).toBe(true);
  expect(link().queryByLabelText(/Email of/), "a sample without a company sends nothing").toBeNull();

  await form.next();
  await form.next();
  await form.signEverywhere();
  expect(page.heading("Waiver signed")).toBeVisible();
  expect(form.sentRow().session_id).toBe(sessionId);
  expect(page.server.sessions.size, "the page opened one session").toBe(2);
});

test("FORM-46 a reload keeps the links, and nothing of them is left after signing", async () => {
  await form.openForm(FORM, COMPANY);
  await addNia();
  await makeLink();
  cleanup();
  await form.openForm(FORM, COMPANY);
  await loaded();
  expect(link().getByRole("img")).toBeVisible();

  await form.next();
  await form.next();
  await form.signEverywhere();
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain("Nia");
});

test("FORM-46 if the birth date is corrected to that of a minor, no link is offered", async () => {
  await form.openForm(FORM, COMPANY);
  await addNia();
  page.fillIn("Birth date", "2010-05-01");
  await loaded();

  expect(screen.queryByRole("button", { name: "Make their own link" })).toBeNull();
});
