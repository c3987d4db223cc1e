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
const full = {
  [PAGE]: { body: [signed, pending, expired] },
  [COUNT]: { body: 3 },
  "GET /rest/v1/signed_waivers": { body: [SIGNED] },
};
const HERE = "/dashboard/waiver-management";

/** What the server was asked for, in order. */
const asked = (seen: RecordedRequest[]) =>
  seen.filter(({ path }) => path.endsWith("/waiver_directory")).map(({ body }) => body);

test("MGMT-03 MGMT-04 MGMT-05 the directory shows every kind of row under these columns", async () => {
  serve(full);
  showToRosa(<Directory />, HERE);

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

test("MGMT-01 MGMT-02 MGMT-11 what is searched and filtered for is asked of the server and stands in the address", async () => {
  const seen = serve({ ...full, [PAGE]: ({ body }) => ({ body: isAsking(body, "nobody") ? [] : [signed] }) });
  const router = showToRosa(<Directory />, HERE);
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
  await userEvent.type(
    screen.getByPlaceholderText("Search waivers by name, email, or template..."),
    "nobody",
  );

  expect(await screen.findByText("No waivers match your search criteria.")).toBeVisible();
  expect(router.state.location.search).toBe("?status=expired&q=nobody");
  expect(asked(seen).at(-1)).toEqual({ term: "nobody", state: "expired", sorted: "newest", up_to: 100 });

  await userEvent.click(screen.getByRole("button", { name: "Show all waivers" }));
  expect(await screen.findByText("gil@example.com")).toBeVisible();
  expect(router.state.location.search).toBe("");
  expect(screen.getByRole("searchbox")).toHaveValue("");
});

function isAsking(body: unknown, term: string): boolean {
  return typeof body === "object" && body !== null && "term" in body && body.term === term;
}

test("a column is clicked into the order, and once more into the other way round", async () => {
  const seen = serve(full);
  showToRosa(<Directory />, `${HERE}?q=gil`);
  await screen.findByText("gil@example.com");

  for (const order of ["a-z", "z-a"]) {
    // Each click is answered before the next.
    // oxlint-disable-next-line no-await-in-loop
    await userEvent.click(screen.getByRole("button", { name: "Recipient/Signer" }));
    expect(asked(seen).at(-1)).toMatchObject({ term: "gil", sorted: order });
  }
  const column = screen.getByRole("columnheader", { name: "Recipient/Signer" });
  expect(column).toHaveAttribute("aria-sort", "descending");
});

/** So many pending rows as a page holds. */
const crowd = (from: number, size: number) =>
  Array.from({ length: size }, (_, n) => ({ ...pending, id: `p${from + n}`, name: `Guest ${from + n}` }));

test("the next page is asked for before the end, by the last row, and only the rows in sight are drawn", async () => {
  const pages = [crowd(0, 100), crowd(100, 20)];
  const seen = serve({ ...full, [PAGE]: () => ({ body: pages.shift() ?? [] }) });
  showToRosa(<Directory />, HERE);
  await screen.findByText("Guest 0");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);

  act(() => scrollTo(70 * 64));

  await screen.findByText("Guest 70");
  await waitFor(() => expect(asked(seen)).toHaveLength(2));
  expect(asked(seen)[1]).toMatchObject({ after_place: pending.place, after_id: "p99", up_to: 500 });
});

test("arrow keys walk through the rows, Enter opens one", async () => {
  serve(full);
  const router = showToRosa(<Directory />, HERE);
  await screen.findByText("gil@example.com");
  const rows = screen.getAllByRole("row").slice(1);

  rows[0]?.focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(rows[2]).toHaveFocus();
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{Enter}");

  expect(await screen.findByRole("dialog", { name: "River day" })).toBeVisible();
  expect(router.state.location.search).toBe(`?waiver=${SIGNED.session_id}&record=${SIGNED.id}`);
});

test("chosen rows are reminded, but only those still waiting; Escape lets them go", async () => {
  const seen = serve({ ...full, "POST /rest/v1/rpc/send_reminders": { body: 1 } });
  showToRosa(<Directory />, HERE);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select all shown" }));
  expect(screen.getByText("3 selected")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Remind 1" }));

  expect(await screen.findByText("Sending reminders")).toBeVisible();
  expect(await screen.findByText("1 reminder is queued.")).toBeVisible();
  expect(seen.find(({ path }) => path.endsWith("send_reminders"))?.body).toEqual({
    session_ids: [pending.id],
  });
  expect(screen.queryByRole("toolbar")).toBeNull();

  await userEvent.click(screen.getByRole("checkbox", { name: "Select waiver of Ana Ortiz" }));
  expect(screen.getByText("1 selected")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar")).toBeNull();
});

test("MGMT-09 Export CSV asks for every page of what is shown and saves one file", async () => {
  const saved = trackDownloads();
  const pages = [[signed], crowd(0, 1000), crowd(1000, 2)];
  const seen = serve({ ...full, [PAGE]: () => ({ body: pages.shift() }) });
  showToRosa(<Directory />, `${HERE}?status=pending&sort=a-z`);
  await screen.findByText("gil@example.com");

  await userEvent.click(screen.getByRole("button", { name: "Export CSV" }));

  expect(await screen.findByText("1,002 rows in waivers.csv")).toBeVisible();
  expect(saved).toEqual(["waivers.csv"]);
  const question = { term: "", state: "pending", sorted: "a-z", up_to: 1000 };
  expect(asked(seen).slice(1)).toEqual([
    question,
    { ...question, after_place: pending.place, after_id: "p999" },
  ]);
});

test("ERR-22 a directory that cannot be loaded says so, and can be asked again", async () => {
  let fails = true;
  serve({
    ...full,
    [PAGE]: () => (fails ? { status: 404, body: { code: "x", message: "no" } } : full[PAGE]),
  });
  showToRosa(<Directory />, HERE);

  expect(await screen.findAllByText("Failed to load waivers")).toHaveLength(2);
  fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("gil@example.com")).toBeVisible();
});

test("ERR-23 a waiver that cannot be loaded is told", async () => {
  serve({ ...full, "GET /rest/v1/signed_waivers": { status: 404, body: { code: "x", message: "no" } } });
  showToRosa(<Directory />, `${HERE}?waiver=${SIGNED.session_id}`);

  // It is asked for twice before that.
  expect(await screen.findByText("Failed to load waiver details", {}, { timeout: 3000 })).toBeVisible();
});

test("ROUTE-19 MGMT-14 the address opens the newest signed waiver of a session, and closing takes it back", async () => {
  const seen = serve(full);
  const router = showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${SIGNED.session_id}`);

  expect(await screen.findByRole("dialog", { name: "River day" })).toBeVisible();
  const question = seen.find(({ query }) => query.has("session_id"));
  expect(question?.query.get("session_id")).toBe(`eq.${SIGNED.session_id}`);
  expect(question?.query.get("order")).toBe("signed_at.desc");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.search).toBe(""));
});

test("ERR-27 an unsigned waiver is told to be pending, without alarm", async () => {
  serve({ ...full, "GET /rest/v1/signed_waivers": { body: [] } });
  showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${pending.id}`);

  expect(await screen.findByText("Waiver Pending")).toBeVisible();
  expect(screen.getByText("This waiver has not been signed yet.")).toBeVisible();
});

test("MGMT-11 a directory without anything says so and shows the way to the first one", async () => {
  serve({ ...full, [PAGE]: { body: [] }, [COUNT]: { body: 0 } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  expect(await screen.findByText("No waivers found.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Send the first one" })).toHaveAttribute(
    "href",
    "/dashboard/waivers",
  );
});

test("MGMT-12 Email Settings opens the email dialog", async () => {
  serve(full);
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(screen.getByRole("button", { name: "Email Settings" }));

  expect(await screen.findByRole("dialog", { name: "Email Service Configuration" })).toBeVisible();
});

const download = { name: "Download waiver of Gil Moreau" };

test("a signed waiver is downloaded from its row, and only a signed one offers it", async () => {
  const saved = trackDownloads();
  const seen = serve({ ...full, "POST /functions/v1/waiver-document": PDF });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(saved).toEqual(["River day - Gil Moreau.pdf"]);
  expect(seen.at(-1)?.body).toEqual({ waiver_id: SIGNED.id });
  expect(screen.queryByRole("button", { name: "Download waiver of Ana Ortiz" })).toBeNull();
});

test("a document that is not there yet is said to be prepared, and nothing is saved", async () => {
  const saved = trackDownloads();
  const preparing = { status: 202, body: { status: "preparing" } };
  serve({ ...full, "POST /functions/v1/waiver-document": preparing });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("Document being prepared")).toBeVisible();
  expect(saved).toEqual([]);
});

test("the dialog downloads the document of the waiver it shows", async () => {
  const saved = trackDownloads();
  const seen = serve({ ...full, "POST /functions/v1/waiver-document": PDF });
  showToRosa(<Directory />, `/dashboard/waiver-management?waiver=${SIGNED.session_id}`);

  await userEvent.click(await screen.findByRole("button", { name: "Download PDF" }));

  expect(await screen.findByText("PDF Downloaded")).toBeVisible();
  expect(saved).toEqual(["River day - Gil Moreau.pdf"]);
  expect(seen.at(-1)?.body).toEqual({ waiver_id: SIGNED.id });
});

test("a download that fails is told, and can be tried again", async () => {
  serve({ ...full, "POST /functions/v1/waiver-document": { status: 500, body: { error: "no" } } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(await screen.findByRole("button", download));

  expect(await screen.findByText("Failed to download the document")).toBeVisible();
  expect(screen.getByRole("button", download)).toBeEnabled();
});
