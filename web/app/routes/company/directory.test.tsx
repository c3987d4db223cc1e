import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { showToRosa, SIGNED_WAIVER } from "~/../testing/company";
import { expiredEntry, pendingEntry, signedEntry } from "~/../testing/directory-entries";
import { trackDownloads } from "~/../testing/downloads";
import { serve, type RecordedRequest } from "~/../testing/server";
import { SIGNED_PATH, showWaivers } from "~/../testing/waivers";
import { scrollTo, stubWindow } from "~/../testing/window";
import Directory from "./directory";

beforeEach(() => stubWindow());

const DIRECTORY = "POST /rest/v1/rpc/waiver_directory";
const COUNT = "POST /rest/v1/rpc/count_waiver_directory";
const responses = {
  [DIRECTORY]: { body: [signedEntry, pendingEntry, expiredEntry] },
  [COUNT]: { body: 3 },
  "GET /rest/v1/signed_waivers": { body: [SIGNED_WAIVER] },
  "GET /rest/v1/waiver_template_versions": { body: [] },
};
const PATH = "/dashboard/waiver-management";

/** Returns the bodies of the directory requests, in order. */
const directoryQueries = (requests: RecordedRequest[]) =>
  requests.filter(({ path }) => path.endsWith("/waiver_directory")).map(({ body }) => body);

test("MGMT-03 MGMT-04 MGMT-05 the directory has five columns and shows signed, pending and expired waivers", async () => {
  serve(responses);
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

test("FORM-41 a row names the minors and the flags, and other rows stay as they are", async () => {
  const family = { ...signedEntry, minors: ["Mia Moreau", "Leo Lind"], flags: ["Asthma", "Cannot swim"] };
  serve({ ...responses, [DIRECTORY]: { body: [family, pendingEntry] } });
  showToRosa(<Directory />, PATH);

  const row = (await screen.findByText("gil@example.com")).closest("tr");
  expect(row).toHaveTextContent("Gil Moreauwith Mia and Leo LindFlags: Asthma, Cannot swimgil@example.com");
  expect(row).toHaveStyle({ height: `${ROW_HEIGHT_PX + 44}px` });
  const other = screen.getByText("Ana Ortiz").closest("tr");
  expect(other).toHaveTextContent("Ana Ortizana@example.com");
  expect(other).toHaveStyle({ height: `${ROW_HEIGHT_PX}px` });
});

test.each([
  [1280, ["Template", "Recipient/Signer", "Status", "Date", "Actions"]],
  [1024, ["Recipient/Signer", "Status", "Date", "Actions"]],
  [768, ["Recipient/Signer", "Status", "Date", "Actions"]],
  [390, ["Recipient/Signer", "Actions"]],
])(
  "APP-20 on a screen of %i px the columns are %o, and a row still shows everything",
  async (width, columns) => {
    stubWindow(width);
    serve(responses);
    showToRosa(<Directory />, PATH);
    await screen.findByText("gil@example.com");

    expect(screen.getAllByRole("columnheader").map((header) => header.textContent)).toEqual(columns);
    const row = screen.getByText("Gil Moreau").closest("tr");
    for (const text of ["River day", "gil@example.com", "Signed", "ago", "View", "Download"])
      expect(row).toHaveTextContent(text);
    expect(within(row ?? document.body).getAllByText("River day")).toHaveLength(1);
  },
);

test("MGMT-01 MGMT-02 MGMT-11 search and filters are sent to the server and stored in the URL", async () => {
  const requests = serve({
    ...responses,
    [DIRECTORY]: ({ body }) => ({ body: isSearchFor(body, "xyz") ? [] : [signedEntry] }),
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
    "Cancelled",
    "Revoked",
  ]);
  await userEvent.selectOptions(status, "Expired");
  await userEvent.type(screen.getByPlaceholderText("Search waivers by name, email, or template..."), "xyz");

  expect(await screen.findByText("No waivers match your search criteria.")).toBeVisible();
  expect(router.state.location.search).toBe("?status=expired&q=xyz");
  expect(directoryQueries(requests).at(-1)).toEqual({
    term: "xyz",
    state: "expired",
    sorted: "newest",
    up_to: 100,
  });

  await userEvent.click(screen.getByRole("button", { name: "Show all waivers" }));
  expect(await screen.findByText("gil@example.com")).toBeVisible();
  expect(router.state.location.search).toBe("");
  expect(screen.getByRole("searchbox")).toHaveValue("");
});

function isSearchFor(body: unknown, term: string): boolean {
  return typeof body === "object" && body !== null && "term" in body && body.term === term;
}

test("clicking a column header sorts by that column, and clicking again reverses the order", async () => {
  const requests = serve(responses);
  showToRosa(<Directory />, `${PATH}?q=gil`);
  await screen.findByText("gil@example.com");

  for (const order of ["a-z", "z-a"]) {
    // Each click has to be handled before the next one.
    // oxlint-disable-next-line no-await-in-loop
    await userEvent.click(screen.getByRole("button", { name: "Recipient/Signer" }));
    expect(directoryQueries(requests).at(-1)).toMatchObject({ term: "gil", sorted: order });
  }
  const column = screen.getByRole("columnheader", { name: "Recipient/Signer" });
  expect(column).toHaveAttribute("aria-sort", "descending");
});

/** The height of a row on a wide screen. */
const ROW_HEIGHT_PX = 64;

/** Creates numbered pending rows. */
const manyRows = (firstNumber: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = firstNumber + index;
    return { ...pendingEntry, id: `p${number}`, name: `Guest ${number}` };
  });

test("the next page is requested before the end of the list is visible, and only visible rows are rendered", async () => {
  const pages = [manyRows(0, 100), manyRows(100, 20)];
  const requests = serve({ ...responses, [DIRECTORY]: () => ({ body: pages.shift() ?? [] }) });
  showToRosa(<Directory />, PATH);
  await screen.findByText("Guest 0");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);

  act(() => scrollTo(70 * ROW_HEIGHT_PX));

  await screen.findByText("Guest 70");
  await waitFor(() => expect(directoryQueries(requests)).toHaveLength(2));
  expect(directoryQueries(requests)[1]).toMatchObject({
    after_place: pendingEntry.place,
    after_id: "p99",
    up_to: 500,
  });
});

test("arrow keys move between rows, and Enter opens the waiver of the focused row", async () => {
  serve(responses);
  const router = showWaivers(`${PATH}?sort=oldest`);
  await screen.findByText("gil@example.com");
  const rows = screen.getAllByRole("row").slice(1);

  rows[0]?.focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(rows[2]).toHaveFocus();
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{Enter}");

  expect(await screen.findByRole("heading", { name: "Gil Moreau" })).toBeVisible();
  expect(router.state.location).toMatchObject({
    pathname: SIGNED_PATH,
    search: `?record=${SIGNED_WAIVER.id}`,
  });
  await userEvent.click(screen.getByRole("link", { name: "Back to waivers" }));
  expect(await screen.findByRole("table", { name: "Waivers" })).toBeVisible();
  expect(router.state.location.search).toBe("?sort=oldest");
});

test("a reminder is sent only for the pending rows of the selection, and Escape clears the selection", async () => {
  const requests = serve({ ...responses, "POST /rest/v1/rpc/send_reminders": { body: 1 } });
  showToRosa(<Directory />, PATH);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select all shown" }));
  expect(screen.getByText("3 selected")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Remind 1" }));

  expect(await screen.findByText("Sending reminders")).toBeVisible();
  expect(await screen.findByText("1 reminder is queued.")).toBeVisible();
  expect(requests.find(({ path }) => path.endsWith("send_reminders"))?.body).toEqual({
    session_ids: [pendingEntry.id],
  });
  expect(screen.queryByRole("toolbar")).toBeNull();

  await userEvent.click(screen.getByRole("checkbox", { name: "Select waiver of Ana Ortiz" }));
  expect(screen.getByText("1 selected")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar")).toBeNull();
});

test("MGMT-09 Export CSV fetches every page of the listing and saves one file", async () => {
  const fileNames = trackDownloads();
  const pages = [[signedEntry], manyRows(0, 1000), manyRows(1000, 2)];
  const requests = serve({ ...responses, [DIRECTORY]: () => ({ body: pages.shift() }) });
  showToRosa(<Directory />, `${PATH}?status=pending&sort=a-z`);
  await screen.findByText("gil@example.com");

  await userEvent.click(screen.getByRole("button", { name: "Export CSV" }));

  expect(await screen.findByText("1,002 rows in waivers.csv")).toBeVisible();
  expect(fileNames).toEqual(["waivers.csv"]);
  const request = { term: "", state: "pending", sorted: "a-z", up_to: 1000 };
  expect(directoryQueries(requests).slice(1)).toEqual([
    request,
    { ...request, after_place: pendingEntry.place, after_id: "p999" },
  ]);
});

test("ERR-22 a directory that cannot be loaded shows an error and can be retried", async () => {
  let isFailing = true;
  serve({
    ...responses,
    [DIRECTORY]: () =>
      isFailing ? { status: 404, body: { code: "x", message: "no" } } : responses[DIRECTORY],
  });
  showToRosa(<Directory />, PATH);

  // The error is shown on the page and in a toast.
  expect(await screen.findAllByText("Failed to load waivers")).toHaveLength(2);
  isFailing = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("gil@example.com")).toBeVisible();
});

test("MGMT-11 an empty directory has a link to send the first waiver", async () => {
  serve({ ...responses, [DIRECTORY]: { body: [] }, [COUNT]: { body: 0 } });
  showToRosa(<Directory />, "/dashboard/waiver-management");

  expect(await screen.findByText("No waivers found.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Send the first one" })).toHaveAttribute(
    "href",
    "/dashboard/waivers",
  );
});

test("MGMT-12 Email Settings opens the email dialog", async () => {
  serve(responses);
  showToRosa(<Directory />, "/dashboard/waiver-management");

  await userEvent.click(screen.getByRole("button", { name: "Email Settings" }));

  expect(await screen.findByRole("dialog", { name: "Email Service Configuration" })).toBeVisible();
});
