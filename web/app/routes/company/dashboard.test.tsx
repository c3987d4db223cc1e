import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { NO_WAIVERS, rosa, showToRosa, SIGNED_WAIVER } from "~/../testing/company";
import { deferredResponse, serve } from "~/../testing/server";
import Dashboard from "./dashboard";

const gil = {
  id: SIGNED_WAIVER.session_id,
  template_name: "River day",
  recipient_name: "Gil Moreau",
  signer_name: null,
  status: "signed",
  created_at: "2026-03-04T12:00:00Z",
  expires_at: "2100-01-01T00:00:00Z",
  revoked_at: null,
};
const ana = {
  ...gil,
  id: "aaaaaaaa-0000-4000-8000-000000000002",
  recipient_name: "Ana Ortiz",
  status: "pending",
};

/** Returns the responses for the sessions in `rows`. Unsigned sessions count as pending, unless `counts` differs. */
function sessionResponses(rows: object[], signedCount: number, counts: object = {}) {
  const pending = rows.length - signedCount;
  return {
    "GET /rest/v1/waiver_sessions": { body: rows },
    "POST /rest/v1/rpc/waiver_counts": {
      body: { ...NO_WAIVERS, total: rows.length, signed: signedCount, pending, ...counts },
    },
  };
}

test("DASH-05 DASH-09 DASH-11 the page shows the counts, the pending warning and the recent waivers", async () => {
  serve(sessionResponses([gil, ana], 1));
  showToRosa(<Dashboard />, "/dashboard");

  const row = (await screen.findByText("Ana Ortiz")).closest("tr");
  expect(row).toHaveTextContent("aaaaaaaa");
  expect(row).toHaveTextContent("River day");
  expect(row).toHaveTextContent("Pending");
  expect(row?.cells[0]).toHaveTextContent("Ana Ortiz");
  expect(row?.querySelector("time")).toHaveAttribute(
    "title",
    expect.stringMatching(/^March 4, 2026 at \d+:00\s[AP]M$/),
  );
  const numbers = screen.getAllByRole("definition").map((number) => number.textContent);
  expect(numbers).toEqual(["2", "1", "1"]);
  expect(screen.getByText("Action Required")).toBeVisible();
});

test("DASH-06 DASH-09 expired, cancelled and revoked waivers are counted apart and shown as such", async () => {
  const rows = [
    { ...ana, id: "1", recipient_name: "Expired Ed", expires_at: "2026-03-05T12:00:00Z" },
    { ...ana, id: "2", recipient_name: "Cancelled Cy", status: "cancelled" },
    { ...gil, id: "3", recipient_name: "Revoked Ria", revoked_at: "2026-03-05T12:00:00Z" },
    { ...ana, id: "4", recipient_name: "Pending Pia" },
  ];
  const counts = { total: 1250, signed: 20, pending: 1200, expired: 17, cancelled: 12, revoked: 1 };
  serve(sessionResponses(rows, 0, counts));
  showToRosa(<Dashboard />, "/dashboard");

  for (const name of ["Expired Ed", "Cancelled Cy", "Revoked Ria", "Pending Pia"]) {
    const [status] = name.split(" ");
    // oxlint-disable-next-line no-await-in-loop
    expect((await screen.findByText(name)).closest("tr")).toHaveTextContent(status ?? "");
  }
  const numbers = screen.getAllByRole("definition").map((number) => number.textContent);
  expect(numbers).toEqual(["1,250", "20", "1,200"]);
  expect(screen.getByText(/1,200 waivers are still waiting for a signature/)).toBeVisible();
  expect(screen.getByRole("link", { name: "See who is missing" })).toHaveAttribute(
    "href",
    "/dashboard/waiver-management?status=pending",
  );
});

test("DASH-06 APP-13 each number is a link to the rows that it counts", async () => {
  const counts = { total: 1250, signed: 20, pending: 1200, expired: 17, cancelled: 12, revoked: 1 };
  serve(sessionResponses([ana], 0, counts));
  showToRosa(<Dashboard />, "/dashboard");
  await screen.findByText("Ana Ortiz");

  for (const [name, query] of [
    ["1,250 total", ""],
    ["20 signed", "?status=signed"],
    ["1,200 pending", "?status=pending"],
    ["17 expired", "?status=expired"],
    ["12 cancelled", "?status=cancelled"],
    ["1 revoked", "?status=revoked"],
  ]) {
    const link = screen.getByRole("link", { name: name ?? "" });
    expect(link).toHaveAttribute("href", `/dashboard/waiver-management${query}`);
  }
});

test("DASH-05 while the numbers are loading, and if they cannot be loaded, there is nothing to click", async () => {
  const failure = { status: 404, body: { message: "no" } };
  const wait = deferredResponse();
  serve({
    "GET /rest/v1/waiver_sessions": { ...failure, wait: wait.wait },
    "POST /rest/v1/rpc/waiver_counts": failure,
  });
  showToRosa(<Dashboard />, "/dashboard");
  expect(screen.queryByRole("link", { name: /pending/ })).toBeNull();

  wait.respond();

  await screen.findAllByText("Failed to fetch data");
  expect(screen.getAllByRole("definition").map((number) => number.textContent)).toEqual(["–", "–", "–"]);
  expect(screen.queryByRole("link", { name: /pending/ })).toBeNull();
});

test("DASH-09 without pending waivers there is no warning", async () => {
  serve(sessionResponses([gil], 1));
  showToRosa(<Dashboard />, "/dashboard");

  await screen.findByText("Gil Moreau");
  expect(screen.queryByText("Action Required")).toBeNull();
});

test("DASH-07 DASH-10 the ten newest sessions are requested, without default sessions", async () => {
  const requests = serve(sessionResponses([gil], 1));
  showToRosa(<Dashboard />, "/dashboard");
  await screen.findByText("Gil Moreau");

  const { query } =
    requests.find(({ method, path }) => method === "GET" && path.endsWith("waiver_sessions")) ?? {};
  expect(query?.get("status")).toBe("neq.template_default");
  expect(query?.get("order")).toBe("created_at.desc");
  expect(query?.get("limit")).toBe("10");
});

test("DASH-18 without sessions the page has a link to create the first waiver", async () => {
  serve(sessionResponses([], 0));
  showToRosa(<Dashboard />, "/dashboard");

  expect(await screen.findByText("No waiver data available")).toBeVisible();
  const link = screen.getByRole("link", { name: "Create Your First Waiver" });
  expect(link).toHaveAttribute("href", "/dashboard/waivers");
});

test("DASH-01 Create Waiver links to the templates", () => {
  serve(sessionResponses([gil], 1));
  showToRosa(<Dashboard />, "/dashboard");

  expect(screen.getByRole("link", { name: "Create Waiver" })).toHaveAttribute("href", "/dashboard/waivers");
});

test("DASH-02 Send Reminders opens a dialog, and closing it leads back to the dashboard", async () => {
  serve({ ...sessionResponses([ana], 0), "POST /rest/v1/rpc/reminder_preview": { body: [] } });
  const router = showToRosa(<Dashboard />, "/dashboard");

  await userEvent.click(screen.getByRole("button", { name: "Send Reminders" }));

  const dialog = await screen.findByRole("dialog", { name: "Send Reminders" });
  await within(dialog).findByRole("heading", { name: "No one to remind" });
  expect(router.state.location.search).toBe("?remind=");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.search).toBe("");
});

async function viewWaiver(guest: string) {
  await userEvent.click(await screen.findByRole("button", { name: `View waiver of ${guest}` }));
}

test("DASH-14 View opens the signed text in a scrolling box", async () => {
  serve({ ...sessionResponses([gil], 1), "GET /rest/v1/signed_waivers": { body: [SIGNED_WAIVER] } });
  showToRosa(<Dashboard />, "/dashboard");

  await viewWaiver("Gil Moreau");

  const dialog = await screen.findByRole("dialog", { name: "River day" });
  const box = within(dialog).getByRole("region", { name: "Waiver content" });
  expect(box).toHaveTextContent("I, Gil Moreau, agree.");
  expect(box).toHaveClass("overflow-y-auto");
  expect(within(dialog).getByRole("img", { name: "Signature of Gil Moreau" })).toHaveAttribute(
    "src",
    SIGNED_WAIVER.signature,
  );
});

test("DASH-15 a waiver without content shows a message", async () => {
  serve({
    ...sessionResponses([gil], 1),
    "GET /rest/v1/signed_waivers": { body: [{ ...SIGNED_WAIVER, content: "" }] },
  });
  showToRosa(<Dashboard />, "/dashboard");

  await viewWaiver("Gil Moreau");

  expect(await screen.findByText("No content available")).toBeVisible();
});

test("DASH-17 View opens the directory with the session if the waiver is not signed", async () => {
  serve({ ...sessionResponses([ana], 0), "GET /rest/v1/signed_waivers": { body: [] } });
  const router = showToRosa(<Dashboard />, "/dashboard");

  await viewWaiver("Ana Ortiz");

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard/waiver-management"));
  expect(router.state.location.search).toBe(`?waiver=${ana.id}`);
});

test("a company without a name can enter it, and the name is saved", async () => {
  const requests = serve({ ...sessionResponses([], 0), "PATCH /rest/v1/companies": { status: 204 } });
  showToRosa(<Dashboard />, "/dashboard", { ...rosa, company: { id: "c1", name: "" } });

  await userEvent.click(screen.getByRole("button", { name: "Save name" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Please enter the name of your company");
  await userEvent.type(screen.getByLabelText("Company name"), " Rio Rafting ");
  await userEvent.click(screen.getByRole("button", { name: "Save name" }));

  expect(await screen.findByText("Company name saved")).toBeVisible();
  const update = requests.find(({ path }) => path === "/rest/v1/companies");
  expect(update?.query.get("id")).toBe("eq.c1");
  expect(update?.body).toEqual({ name: "Rio Rafting" });
});
