import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { RecordsCard } from "./components/records-card";
import { duration, retentionChoices } from "./model";

const PLANNED = {
  waiver_id: "w1",
  session_id: "s1",
  signer_name: "Ana Ortiz",
  template_name: "River day",
  signed_at: "2019-07-01T10:00:00Z",
  erase_at: "2026-12-20T10:00:00Z",
};

async function open(months: number | null, responses: Parameters<typeof serve>[0] = {}) {
  signInAs(ROSA);
  const requests = serve({
    "GET /rest/v1/companies": { body: { keep_waivers_months: months } },
    "GET /rest/v1/planned_erasures": { body: [] },
    "GET /rest/v1/erasure_requests": { body: [] },
    "PATCH /rest/v1/companies": { status: 204 },
    ...responses,
  });
  show(<RecordsCard companyId="c1" />);
  await screen.findByLabelText("Keep signed waivers");
  return requests;
}

test("the choices include the saved value", () => {
  expect(retentionChoices(18).map(({ label }) => label)).toEqual([
    "For good",
    "18 months",
    ...[3, 5, 7, 10, 15, 21, 25].map((years) => `${years} years`),
  ]);
  expect([12, 1, 30].map(duration)).toEqual(["1 year", "1 month", "30 months"]);
});

test("waivers are kept for good until the company chooses otherwise", async () => {
  await open(null);

  expect(screen.getByLabelText("Keep signed waivers")).toHaveDisplayValue("For good");
  expect(screen.getByRole("button", { name: "Save" })).toBeDisabled();
  expect(screen.queryByText("Will be erased")).toBeNull();
});

test("before a retention time is saved, the company has to confirm how many waivers it erases", async () => {
  const requests = await open(null, { "POST /rest/v1/rpc/count_waivers_to_erase": { body: 1312 } });

  await userEvent.selectOptions(screen.getByLabelText("Keep signed waivers"), "7 years");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const dialog = await screen.findByRole("dialog", { name: "Keep waivers for 7 years only?" });
  expect(await screen.findByText("1,312 waivers would be erased in 30 days at the earliest.")).toBeVisible();
  expect(requests.some(({ method }) => method === "PATCH")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Keep for 7 years" }));

  expect(await screen.findByText("Your signed waivers are kept for 7 years.")).toBeVisible();
  expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({ keep_waivers_months: 84 });
  expect(dialog).not.toBeInTheDocument();
});

test("the company can go back to keeping its waivers for good", async () => {
  const requests = await open(84, { "GET /rest/v1/planned_erasures": { body: [PLANNED] } });

  const link = await screen.findByRole("link", { name: "Ana Ortiz" });
  expect(link).toHaveAttribute("href", "/dashboard/waiver-management/s1");
  expect(screen.getByText("Erased on December 20, 2026")).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Keep signed waivers"), "For good");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Your signed waivers are kept for good.")).toBeVisible();
  expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({ keep_waivers_months: null });
});

test("an error is shown if the setting cannot be loaded", async () => {
  signInAs(ROSA);
  serve({ "GET /rest/v1/companies": { status: 404, body: { code: "none", message: "none" } } });
  show(<RecordsCard companyId="c1" />);

  expect(await screen.findByText("This setting could not be loaded")).toBeVisible();
});

const REQUEST = {
  id: "r1",
  email: "gil@example.com",
  note: "I moved away.",
  requested_at: "2026-11-16T10:00:00Z",
};

test.each([
  ["Erase", "Erase all waivers of this guest?", "Erase for good", true, "Waivers erased"],
  ["Refuse", "Refuse this request?", "Refuse", false, "Request refused"],
])("a request is answered with %s", async (button, title, confirmLabel, isGranted, toastTitle) => {
  const requests = await open(null, {
    "GET /rest/v1/erasure_requests": { body: [REQUEST] },
    "POST /rest/v1/rpc/answer_erasure_request": { body: isGranted ? 2 : 0 },
  });

  expect(await screen.findByText("I moved away.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: button }));
  const dialog = await screen.findByRole("dialog", { name: title });
  await userEvent.type(screen.getByLabelText(/^Reason/), "As we agreed");
  await userEvent.click(within(dialog).getByRole("button", { name: confirmLabel }));

  expect(await screen.findByText(toastTitle)).toBeVisible();
  const call = requests.find(({ path }) => path.endsWith("answer_erasure_request"));
  expect(call?.body).toEqual({ request_id: "r1", is_granted: isGranted, reason: "As we agreed" });
});
