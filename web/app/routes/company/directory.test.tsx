import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { showToRosa, SIGNED } from "~/../testing/company";
import { PDF, trackDownloads } from "~/../testing/downloads";
import { serve, type RecordedRequest } from "~/../testing/server";
import { scrollTo, stubWindow } from "~/../testing/window";
import Directory from "./directory";

beforeEach(stubWindow);

const signed = {
  id: SIGNED.id,
  type: "signed",
  session_id: SIGNED.session_id,
  template_id: SIGNED.template_id,
  template_name: SIGNED.template_name,
  name: SIGNED.signer_name,
  email: SIGNED.signer_email,
  status: "signed",
  at: SIGNED.signed_at,
  place: "2026-03-04T12:00:00.000000Z",
};
const pending = {
  ...signed,
  id: "aaaaaaaa-0000-4000-8000-000000000002",
  type: "pending",
  session_id: "aaaaaaaa-0000-4000-8000-000000000002",
  name: "Ana Ortiz",
  email: "ana@example.com",
  status: "pending",
  at: "2026-03-03T12:00:00Z",
  place: "2026-03-03T12:00:00.000000Z",
};
const expired = { ...pending, id: "b", session_id: "b", name: "Bo Lind", status: "expired", at: null };

const PAGE = "POST /rest/v1/rpc/waiver_directory";
const COUNT = "POST /rest/v1/rpc/count_waiver_directory";
const stubs = {
  [PAGE]: { body: [signed, pending, expired] },
  [COUNT]: { body: 3 },
  "GET /rest/v1/signed_waivers": { body: [SIGNED] },
};
const PATH = "/dashboard/waiver-management";

/** The bodies of the directory requests, in order. */
const queries = (requests: RecordedRequest[]) =>
  requests.filter(({ path }) => path.endsWith("/waiver_directory")).map(({ body }) => body);

test("MGMT-03 MGMT-04 MGMT-05 the directory shows every kind of row under these columns", async () => {
  serve(stubs);
  showToRosa(<Directory />, PATH);

  await screen.findByText("gil@example.com");
  const columns = screen.getAllByRole("columnheader").map((header) => header.textContent);
  expect(columns).toEqual(["Template", "Recipient/Signer", "Status", "Date", "Actions"]);
  const rows = screen.getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/River day.*Gil Moreau.*gil@example\.com.*Signed.*ago.*View.*Download/),
    expect.stringMatching(/River day.*Ana Ortiz.*ana@example\.com.*Pending.*ago.*View$/),
    expect.stringMatching(/River day.*Bo Lind.*Expired.*N\/A.*View$/),
  ]);
  await userEvent.hover(screen.getAllByText(/ago/)[0] ?? document.body);
  expect(await screen.findByRole("tooltip")).toHaveTextContent(/March 4, 2026 at/);
  expect(screen.getByText("3 waivers")).toBeVisible();
});

test("MGMT-01 MGMT-02 MGMT-11 search and filters are sent to the server and stored in the address", async () => {
  const requests = serve({
    ...stubs,
    [PAGE]: ({ body }) => ({ body: isSearchFor(body, "xyz") ? [] : [signed] }),
  });
  const router = showToRosa(<Directory />, PATH);
  await screen.findByText("gil@example.com");

  const status = screen.getByRole("combobox", { name: "Status" });
  const choices = within(status).getAllByRole("option");
  expect(choices.map((choice) => choice.textContent)).toEqual([
    "All Statuses",
    "Signed",
    "Pending",
    "Expired",
  ]);
  await userEvent.selectOptions(status, "Expired");
  await userEvent.type(screen.getByPlaceholderText("Search waivers by name, email, or template..."), "xyz");

  expect(await screen.findByText("No waivers match your search criteria.")).toBeVisible();
  expect(router.state.location.search).toBe("?status=expired&q=xyz");
  expect(queries(requests).at(-1)).toEqual({ term: "xyz", state: "expired", sorted: "newest", up_to: 100 });

  await userEvent.click(screen.getByRole("button", { name: "Show all waivers" }));
  expect(await screen.findByText("gil@example.com")).toBeVisible();
  expect(router.state.location.search).toBe("");
  expect(screen.getByRole("searchbox")).toHaveValue("");
});

function isSearchFor(body: unknown, term: string): boolean {
  return typeof body === "object" && body !== null && "term" in body && body.term === term;
}

test("clicking a column sorts by it, and clicking again reverses the order", async () => {
  const requests = serve(stubs);
  showToRosa(<Directory />, `${PATH}?q=gil`);
  await screen.findByText("gil@example.com");

  for (const order of ["a-z", "z-a"]) {
    // Each click has to be handled before the next.
    // oxlint-disable-next-line no-await-in-loop
    await userEvent.click(screen.getByRole("button", { name: "Recipient/Signer" }));
    expect(queries(requests).at(-1)).toMatchObject({ term: "gil", sorted: order });
  }
  const column = screen.getByRole("columnheader", { name: "Recipient/Signer" });
  expect(column).toHaveAttribute("aria-sort", "descending");
});

/** Pending rows, enough to fill a page. */
const manyRows = (from: number, size: number) =>
  Array.from({ length: size }, (_, n) => ({ ...pending, id: `p${from + n}`, name: `Guest ${from + n}` }));

test("the next page is requested before the end, and only visible rows are rendered", async () => {
  const pages = [manyRows(0, 100), manyRows(100, 20)];
  const requests = serve({ ...stubs, [PAGE]: () => ({ body: pages.shift() ?? [] }) });
  showToRosa(<Directory />, PATH);
  await screen.findByText("Guest 0");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);

  act(() => scrollTo(70 * 64));

  await screen.findByText("Guest 70");
  await waitFor(() => expect(queries(requests)).toHaveLength(2));
  expect(queries(requests)[1]).toMatchObject({ after_place: pending.place, after_id: "p99", up_to: 500 });
});

test("arrow keys move between rows, and Enter opens one", async () => {
  serve(stubs);
  const router = showToRosa(<Directory />, PATH);
  await screen.findByText("gil@example.com");
  const rows = screen.getAllByRole("row").slice(1);

  rows[0]?.focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(rows[2]).toHaveFocus();
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{Enter}");

  expect(await screen.findByRole("dialog", { name: "River day" })).toBeVisible();
  expect(router.state.location.search).toBe(`?waiver=${SIGNED.session_id}&record=${SIGNED.id}`);
});

test("only pending rows of the selection are reminded, and Escape clears the selection", async () => {
  const requests = serve({ ...stubs, "POST /rest/v1/rpc/send_reminders": { body: 1 } });
  showToRosa(<Directory />, PATH);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select all shown" }));
  expect(screen.getByText("3 selected")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Remind 1" }));

  expect(await screen.findByText("Sending reminders")).toBeVisible();
  expect(await screen.findByText("1 reminder is queued.")).toBeVisible();
  expect(requests.find(({ path }) => path.endsWith("send_reminders"))?.body).toEqual({
    session_ids: [pending.id],
  });
  expect(screen.queryByRole("toolbar")).toBeNull();

  await userEvent.click(screen.getByRole("checkbox", { name: "Select waiver of Ana Ortiz" }));
  expect(screen.getByText("1 selected")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar")).toBeNull();
});

test("MGMT-09 Export CSV fetches every page of the listing and saves one file", async () => {
  const saved = trackDownloads();
  const pages = [[signed], manyRows(0, 1000), manyRows(1000, 2)];
  const requests = serve({ ...stubs, [PAGE]: () => ({ body: pages.shift() }) });
  showToRosa(<Directory />, `${PATH}?status=pending&sort=a-z`);
  await screen.findByText("gil@example.com");

  await userEvent.click(screen.getByRole("button", { name: "Export CSV" }));

  expect(await screen.findByText("1,002 rows in waivers.csv")).toBeVisible();
  expect(saved).toEqual(["waivers.csv"]);
  const request = { term: "", state: "pending", sorted: "a-z", up_to: 1000 };
  expect(queries(requests).slice(1)).toEqual([
    request,
    { ...request, after_place: pending.place, after_id: "p999" },
  ]);
});

test("ERR-22 a directory that cannot be loaded shows an error and can be retried", async () => {
  let isFailing = true;
  serve({
    ...stubs,
    [PAGE]: () => (isFailing ? { status: 404, body: { code: "x", message: "no" } } : stubs[PAGE]),
  });
  showToRosa(<Directory />, PATH);

  expect(await screen.findAllByText("Failed to load waivers")).toHaveLength(2);
  isFailing = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("gil@example.com")).toBeVisible();
});

test("ERR-23 a waiver that cannot be loaded shows an error", async () => {
  serve({ ...stubs, "GET /rest/v1/signed_waivers": { status: 404, body: { code: "x", message: "no" } } });
  showToRosa(<Directory />, `${PATH}?waiver=${SIGNED.session_id}`);

  // The request is retried once before that.
  expect(await screen.findByText("Failed to load waiver details", {}, { timeout: 3000 })).toBeVisible();
});

test("ROUTE-19 MGMT-14 the address opens the newest signed waiver of a session, and closing removes it from the address", async () => {
  const requests = serve(stubs);
  const router = showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${SIGNED.session_id}`);

  expect(await screen.findByRole("dialog", { name: "River day" })).toBeVisible();
  const request = requests.find(({ query }) => query.has("session_id"));
  expect(request?.query.get("session_id")).toBe(`eq.${SIGNED.session_id}`);
  expect(request?.query.get("order")).toBe("signed_at.desc");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.search).toBe(""));
});

test("ERR-27 an unsigned waiver is reported as pending, not as an error", async () => {
  serve({ ...stubs, "GET /rest/v1/signed_waivers": { body: [] } });
  showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${pending.id}`);

  expect(await screen.findByText("Waiver Pending")).toBeVisible();
  expect(screen.getByText("This waiver has not been signed yet.")).toBeVisible();
});

test("MGMT-11 an empty directory links to sending the first waiver", async () => {
  serve({ ...stubs, [PAGE]: { body: [] }, [COUNT]: { body: 0 } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  expect(await screen.findByText("No waivers found.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Send the first one" })).toHaveAttribute(
    "href",
    "/dashboard/waivers",
  );
});

test("MGMT-12 Email Settings opens the email dialog", async () => {
  serve(stubs);
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(screen.getByRole("button", { name: "Email Settings" }));

  expect(await screen.findByRole("dialog", { name: "Email Service Configuration" })).toBeVisible();
});

const download = { name: "Download waiver of Gil Moreau" };

test("only signed waivers can be downloaded from their row", async () => {
  const saved = trackDownloads();
  const requests = serve({ ...stubs, "POST /functions/v1/waiver-document": PDF });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(saved).toEqual(["River day - Gil Moreau.pdf"]);
  expect(requests.at(-1)?.body).toEqual({ waiver_id: SIGNED.id });
  expect(screen.queryByRole("button", { name: "Download waiver of Ana Ortiz" })).toBeNull();
});

test("a document that is still being prepared is reported, and nothing is saved", async () => {
  const saved = trackDownloads();
  const preparing = { status: 202, body: { status: "preparing" } };
  serve({ ...stubs, "POST /functions/v1/waiver-document": preparing });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("Document being prepared")).toBeVisible();
  expect(saved).toEqual([]);
});

test("the dialog downloads the document of its waiver", async () => {
  const saved = trackDownloads();
  const requests = serve({ ...stubs, "POST /functions/v1/waiver-document": PDF });
  showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${SIGNED.session_id}`);

  await userEvent.click(await screen.findByRole("button", { name: "Download PDF" }));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(saved).toEqual(["River day - Gil Moreau.pdf"]);
  expect(requests.at(-1)?.body).toEqual({ waiver_id: SIGNED.id });
});

test("a failed download is reported and can be retried", async () => {
  serve({ ...stubs, "POST /functions/v1/waiver-document": { status: 500, body: { error: "no" } } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("Failed to download the document")).toBeVisible();
  expect(screen.getByRole("button", download)).toBeEnabled();
});
