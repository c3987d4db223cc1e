import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { listRow, listRun, RIVER_DAY, SENT_RESPONSES } from "~/../testing/list-run";
import { deferredResponse, ROSA, serve, signInAs } from "~/../testing/server";
import { TEMPLATE_ROW } from "~/../testing/template-row";
import { closeRun, startRun } from "~/features/sending/list/run-store";
import { queryClient } from "~/lib/query-client";
import Templates, { meta } from "./templates";

const row = { ...TEMPLATE_ROW, content: "I, [PARTICIPANT NAME], go with [COMPANY NAME]." };
const sample = { ...row, id: "template-photography-release", company_id: null, name: "Photography Release" };

const responses = {
  "GET /rest/v1/waiver_templates": { body: [row, sample] },
  "GET /rest/v1/waiver_sessions": { body: [{ template_id: "tpl-1" }] },
  "POST /rest/v1/waiver_sessions": { status: 201, body: [{ id: "d2" }] },
  "GET /rest/v1/sent_waivers": { body: [] },
};

test("TPL-02 a loading message is shown while the templates load", async () => {
  const { wait, respond } = deferredResponse();
  serve({ ...responses, "GET /rest/v1/waiver_templates": { body: [row], wait } });
  showToRosa(<Templates />, "/dashboard/waivers");

  expect(screen.getByText("Loading templates...")).toBeVisible();
  respond();
  expect(await screen.findByRole("heading", { name: "River day" })).toBeVisible();
});

test("TPL-01 TPL-04 LAYOUT-10 the cards are in a grid, below the two buttons and the legal advice", async () => {
  serve(responses);
  showToRosa(<Templates />, "/dashboard/waivers");

  const card = await screen.findByRole("button", { name: "View River day" });
  expect(card.closest("ul")).toHaveClass("grid-cols-1", "md:grid-cols-2", "lg:grid-cols-3");
  expect(screen.getByRole("button", { name: "Email Settings" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Create Waiver" })).toBeVisible();
  expect(screen.getByText(/legal adviser review the final text/)).toBeVisible();
});

test("the page creates a default session only for templates without one", async () => {
  const requests = serve(responses);
  showToRosa(<Templates />, "/dashboard/waivers");

  const creations = () => requests.filter(({ method }) => method === "POST");
  await waitFor(() => expect(creations()).toHaveLength(1));
  expect(creations()[0]?.body).toEqual([
    { template_id: sample.id, status: "template_default", template_content: sample.content },
  ]);
});

test("ERR-11 a default session that cannot be created is reported", async () => {
  serve({
    ...responses,
    "POST /rest/v1/waiver_sessions": { status: 404, body: { code: "x", message: "no" } },
  });
  showToRosa(<Templates />, "/dashboard/waivers");

  expect(await screen.findByText("Failed to prepare waiver templates.")).toBeVisible();
});

test("View shows the text with the name of the company", async () => {
  serve(responses);
  showToRosa(<Templates />, "/dashboard/waivers");

  await userEvent.click(await screen.findByRole("button", { name: "View River day" }));

  const text = await screen.findByRole("region", { name: "Waiver content" });
  expect(text).toHaveTextContent("I, [YOUR NAME], go with Rio Rafting.");
});

test("if the templates cannot be loaded, the cached copy is shown with a notice", async () => {
  serve(responses);
  showToRosa(<Templates />, "/dashboard/waivers");
  await screen.findByRole("heading", { name: "River day" });
  cleanup();
  queryClient.clear();
  serve({ "GET /rest/v1/waiver_templates": { status: 404, body: { code: "x", message: "gone" } } });

  showToRosa(<Templates />, "/dashboard/waivers");

  expect(await screen.findByText(/copy kept in this browser/)).toBeVisible();
  expect(screen.getByRole("heading", { name: "River day" })).toBeVisible();
});

const openMenu = async (name: string) =>
  userEvent.click(await screen.findByRole("button", { name: `More for ${name}` }));

test("TPL-03 each card has buttons to view, send and send as PDF", async () => {
  serve(responses);
  showToRosa(<Templates />, "/dashboard/waivers");

  for (const { name } of [row, sample]) {
    expect(await screen.findByRole("button", { name: `View ${name}` })).toBeVisible();
    expect(screen.getByRole("button", { name: `Send ${name}` })).toBeEnabled();
    expect(screen.getByRole("button", { name: `Send PDF of ${name}` })).toBeEnabled();
  }
  await userEvent.click(screen.getByRole("button", { name: "Send PDF of River day" }));
  expect(await screen.findByRole("dialog", { name: "Send Fillable PDF Waiver" })).toBeVisible();
});

test("a template without text can be viewed but not sent", async () => {
  serve({ ...responses, "GET /rest/v1/waiver_templates": { body: [{ ...row, content: " " }] } });
  showToRosa(<Templates />, "/dashboard/waivers");

  expect(await screen.findByRole("button", { name: "View River day" })).toBeEnabled();
  expect(screen.getByRole("button", { name: "Send River day" })).toBeDisabled();
});

test("an archived template disappears immediately, and Undo restores it", async () => {
  const requests = serve({ ...responses, "PATCH /rest/v1/waiver_templates": { status: 204 } });
  showToRosa(<Templates />, "/dashboard/waivers");
  await openMenu("River day");

  await userEvent.click(await screen.findByRole("menuitem", { name: "Archive" }));
  expect(await screen.findByText("Template archived")).toBeVisible();
  (await screen.findByRole("button", { name: "Undo" })).focus();
  await userEvent.keyboard("{Enter}");

  const patches = () => requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
  await waitFor(() =>
    expect(patches()).toEqual([{ archived_at: expect.any(String) }, { archived_at: null }]),
  );
  expect(await screen.findByText("Template restored")).toBeVisible();
});

test("if archiving fails, the template stays and an error is shown", async () => {
  const errorResponse = { status: 404, body: { code: "x", message: "Not today." } };
  serve({ ...responses, "PATCH /rest/v1/waiver_templates": errorResponse });
  showToRosa(<Templates />, "/dashboard/waivers");
  await openMenu("River day");

  await userEvent.click(await screen.findByRole("menuitem", { name: "Archive" }));

  expect(await screen.findByText("The template was not archived")).toBeVisible();
  expect(screen.getByRole("heading", { name: "River day" })).toBeVisible();
});

test("archived templates are listed separately and get no default session, and samples cannot be archived", async () => {
  const archivedTemplate = { ...row, id: "tpl-2", name: "Winter", archived_at: "2026-02-01T00:00:00Z" };
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [sample, archivedTemplate] },
    "GET /rest/v1/waiver_sessions": { body: [] },
    "PATCH /rest/v1/waiver_templates": { status: 204 },
  });
  showToRosa(<Templates />, "/dashboard/waivers");

  await userEvent.click(await screen.findByText("Archived (1)"));
  await userEvent.click(screen.getByRole("button", { name: "Restore Winter" }));
  await waitFor(() => expect(requests.some(({ method }) => method === "PATCH")).toBe(true));
  const creation = requests.find(({ method, path }) => method === "POST" && path.endsWith("waiver_sessions"));
  expect(creation?.body).toMatchObject([{ template_id: sample.id }]);
  await openMenu("Photography Release");
  expect(await screen.findByRole("menuitem", { name: "Duplicate" })).toBeVisible();
  expect(screen.queryByRole("menuitem", { name: "Archive" })).toBeNull();
});

test("FORM-20 a duplicate is a new template with the same text and questions", async () => {
  const form = { questions: [{ key: "swims", kind: "yes_no", label: "Do you swim?" }] };
  const requests = serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { body: [{ ...row, form }] },
    "POST /rest/v1/waiver_templates": { status: 201, body: [{ id: "tpl-3" }] },
  });
  showToRosa(<Templates />, "/dashboard/waivers");
  await openMenu("River day");

  await userEvent.click(await screen.findByRole("menuitem", { name: "Duplicate" }));

  expect(await screen.findByText("Template duplicated")).toBeVisible();
  const creation = requests.find(
    ({ method, path }) => method === "POST" && path.endsWith("waiver_templates"),
  );
  expect(creation?.body).toEqual({
    name: "Copy of River day",
    description: "Half a day",
    content: row.content,
    form,
  });
});

test("Send to a list opens its page, and the link back returns to the templates", async () => {
  serve(responses);
  const router = showToRosa(<Templates />, "/dashboard/waivers");
  await userEvent.click(await screen.findByRole("button", { name: "More for Photography Release" }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Send to a list" }));

  expect(await screen.findByRole("heading", { name: "Send to a List" })).toBeVisible();
  expect(await screen.findByLabelText("Waiver")).toHaveDisplayValue("Photography Release");
  expect(router.state.location.search).toBe(`?list=${sample.id}`);
  await userEvent.click(screen.getByRole("link", { name: "Add/Edit Waivers" }));
  expect(await screen.findByRole("heading", { name: "Add/Edit Waivers" })).toBeVisible();
});

test("APP-42 a list that is not finished is one click away from the templates", async () => {
  const limit = { status: 429, body: { error: "That is all for today.", code: "daily_limit_reached" } };
  serve({
    ...responses,
    ...SENT_RESPONSES,
    "POST /functions/v1/send-email": ({ body }) =>
      Object(body).to === "guest1@example.com" ? { body: { id: "m1", status: "delivered" } } : limit,
  });
  signInAs(ROSA);
  await startRun(listRun([listRow(1), listRow(2)]), RIVER_DAY);
  showToRosa(<Templates />, "/dashboard/waivers");

  expect(await screen.findByText("Your list is not finished.")).toBeVisible();
  expect(screen.getByText(/1 of 2 done\./)).toBeVisible();
  await userEvent.click(screen.getByRole("link", { name: "Open the list" }));
  expect(await screen.findByText(/That is all for today\./)).toBeVisible();
  expect(screen.getByRole("button", { name: "Continue" })).toBeVisible();
  act(closeRun);
});

test("during in-person signing, no parameter shows the page for lists", async () => {
  serve(responses);
  showToRosa(<Templates />, "/dashboard/waivers?sign=tpl-1&list=tpl-1");

  await waitFor(() => expect(screen.queryByText("Loading…")).toBeNull());
  expect(screen.queryByRole("heading", { name: "Send to a List" })).toBeNull();
});

test.each([
  ["", "Add/Edit Waivers · Cairn"],
  ["?list=tpl-1", "Send to a List · Cairn"],
])("the title of the page at %j is %j", (search, title) => {
  const location = { pathname: "/dashboard/waivers", search, hash: "", state: null, key: "" };
  expect(meta({ location })).toEqual([{ title }]);
});
