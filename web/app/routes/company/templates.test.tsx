import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { later, serve } from "~/../testing/server";
import { queryClient } from "~/lib/query-client";
import Templates from "./templates";

const row = {
  id: "tpl-1",
  company_id: "c1",
  name: "River day",
  description: "Half a day",
  content: "I, [PARTICIPANT NAME], go with [COMPANY NAME].",
  created_at: "2026-01-02T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  version: 1,
  archived_at: null,
};
const sample = { ...row, id: "template-photography-release", company_id: null, name: "Photography Release" };

const full = {
  "GET /rest/v1/waiver_templates": { body: [row, sample] },
  "GET /rest/v1/waiver_sessions": { body: [{ template_id: "tpl-1" }] },
  "POST /rest/v1/waiver_sessions": { status: 201, body: [{ id: "d2" }] },
  "GET /rest/v1/sent_waivers": { body: [] },
};

test("TPL-02 while the templates load the page says so", async () => {
  const { wait, answer } = later();
  serve({ ...full, "GET /rest/v1/waiver_templates": { body: [row], wait } });
  showToRosa(<Templates />, "/dashboard/waivers");

  expect(screen.getByText("Loading templates...")).toBeVisible();
  answer();
  expect(await screen.findByRole("heading", { name: "River day" })).toBeVisible();
});

test("TPL-01 TPL-04 LAYOUT-10 the cards stand in a grid, below the two buttons and the lawyer's advice", async () => {
  serve(full);
  showToRosa(<Templates />, "/dashboard/waivers");

  const card = await screen.findByRole("button", { name: "View River day" });
  expect(card.closest("ul")).toHaveClass("grid-cols-1", "md:grid-cols-2", "lg:grid-cols-3");
  expect(screen.getByRole("button", { name: "Email Settings" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Create Waiver" })).toBeVisible();
  expect(screen.getByText(/legal adviser review the final text/)).toBeVisible();
});

test("the page opens a default session for each template that has none, and for no other", async () => {
  const seen = serve(full);
  showToRosa(<Templates />, "/dashboard/waivers");

  const opening = () => seen.filter(({ method }) => method === "POST");
  await waitFor(() => expect(opening()).toHaveLength(1));
  expect(opening()[0]?.body).toEqual([
    { template_id: sample.id, status: "template_default", template_content: sample.content },
  ]);
});

test("ERR-11 when that fails it is told", async () => {
  serve({ ...full, "POST /rest/v1/waiver_sessions": { status: 404, body: { code: "x", message: "no" } } });
  showToRosa(<Templates />, "/dashboard/waivers");

  expect(await screen.findByText("Failed to prepare waiver templates.")).toBeVisible();
});

test("View shows the text with the company's own name in it", async () => {
  serve(full);
  showToRosa(<Templates />, "/dashboard/waivers");

  await userEvent.click(await screen.findByRole("button", { name: "View River day" }));

  const text = await screen.findByRole("region", { name: "Waiver content" });
  expect(text).toHaveTextContent("I, [YOUR NAME], go with Rio Rafting.");
});

test("without an answer the copy in this browser is shown, and said to be one", async () => {
  serve(full);
  showToRosa(<Templates />, "/dashboard/waivers");
  await screen.findByRole("heading", { name: "River day" });
  cleanup();
  queryClient.clear();
  serve({ "GET /rest/v1/waiver_templates": { status: 404, body: { code: "x", message: "gone" } } });

  showToRosa(<Templates />, "/dashboard/waivers");

  expect(await screen.findByText(/copy kept in this browser/)).toBeVisible();
  expect(screen.getByRole("heading", { name: "River day" })).toBeVisible();
});
