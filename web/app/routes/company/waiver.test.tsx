import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SIGNED_WAIVER } from "~/../testing/company";
import { DIRECTORY_RESPONSES, pendingEntry } from "~/../testing/directory-entries";
import { endOutage, goOffline, goOnline } from "~/../testing/network";
import { deferredResponse, serve, type RecordedRequest } from "~/../testing/server";
import { unsignedResponses } from "~/../testing/unsigned-waiver";
import { SIGNED_PATH, showWaivers } from "~/../testing/waivers";
import { stubWindow } from "~/../testing/window";
import { queryClient } from "~/lib/query-client";

beforeEach(() => stubWindow());
afterEach(endOutage);

const PATH = "/dashboard/waiver-management";
const signedResponses = {
  ...DIRECTORY_RESPONSES,
  "GET /rest/v1/signed_waivers": { body: [SIGNED_WAIVER] },
  "GET /rest/v1/waiver_sessions": { body: [] },
  "GET /rest/v1/sent_waivers": { body: [] },
  "GET /rest/v1/emails": { body: [] },
  "GET /rest/v1/waiver_events": { body: [] },
};
const recordRequests = (requests: RecordedRequest[]) =>
  requests.filter(({ path, query }) => path.endsWith("/signed_waivers") && query.has("session_id"));

test("APP-10 the page of a signed waiver shows who signed, what, and its actions, and is named after both", async () => {
  const requests = serve(signedResponses);
  showWaivers(SIGNED_PATH);

  expect(await screen.findByRole("heading", { level: 1, name: "Gil Moreau" })).toBeVisible();
  expect(document.title).toBe("Gil Moreau · River day · Cairn");
  expect(screen.getByText("Signed", { selector: "span" })).toBeVisible();
  expect(screen.getByRole("region", { name: "Waiver content" })).toHaveTextContent("I, Gil Moreau, agree.");
  expect(screen.getByRole("img", { name: "Signature of Gil Moreau" })).toBeVisible();
  const actions = within(screen.getByRole("group", { name: "Actions" })).getAllByRole("button");
  expect(actions.map((action) => action.textContent?.trim())).toEqual([
    "Download PDF",
    "Revoke",
    "Hold",
    "Erase",
  ]);
  expect(screen.getByRole("button", { name: "Download evidence pack" })).toBeVisible();
  expect(recordRequests(requests)).toHaveLength(1);
});

test("ROUTE-19 MGMT-14 an older link with a session opens the page of its newest record", async () => {
  const requests = serve(signedResponses);
  const router = showWaivers(`${PATH}?waiver=${SIGNED_WAIVER.session_id}`);

  expect(await screen.findByRole("heading", { name: "Gil Moreau" })).toBeVisible();
  expect(router.state.location.pathname).toBe(SIGNED_PATH);
  const [request] = recordRequests(requests);
  expect(request?.query.get("session_id")).toBe(`eq.${SIGNED_WAIVER.session_id}`);
  expect(request?.query.get("order")).toBe("signed_at.desc");
  expect(request?.query.get("id")).toBeNull();
});

test("MGMT-14 APP-10 View in the list opens the page of that record and leads back to the filtered list", async () => {
  const requests = serve(signedResponses);
  const router = showWaivers(`${PATH}?q=gil&status=signed`);

  await userEvent.click(await screen.findByRole("link", { name: "View waiver of Gil Moreau" }));
  await screen.findByRole("heading", { name: "Gil Moreau" });

  expect(recordRequests(requests)[0]?.query.get("id")).toBe(`eq.${SIGNED_WAIVER.id}`);
  const back = screen.getByRole("link", { name: "Back to waivers" });
  expect(back).toHaveAttribute("href", `${PATH}?q=gil&status=signed`);
  await userEvent.click(back);
  expect(await screen.findByRole("searchbox")).toHaveValue("gil");
  expect(router.state.historyAction).toBe("POP");
});

test("a waiver that was not opened from the list leads to the whole list", async () => {
  serve(signedResponses);
  const router = showWaivers(SIGNED_PATH);

  await userEvent.click(await screen.findByRole("link", { name: "Back to waivers" }));

  expect(await screen.findByRole("table", { name: "Waivers" })).toBeVisible();
  expect(router.state.location.search).toBe("");
});

test("ERR-27 an unsigned waiver is reported as pending, not as an error", async () => {
  serve(unsignedResponses());
  showWaivers(`${PATH}?waiver=${pendingEntry.id}`);

  expect(await screen.findByText("Waiver Pending")).toBeVisible();
  expect(screen.getByText("This waiver has not been signed yet.")).toBeVisible();
});

test("a waiver that is signed while its page is open is then shown as signed", async () => {
  let records: object[] = [];
  serve({ ...unsignedResponses(), "GET /rest/v1/signed_waivers": () => ({ body: records }) });
  showWaivers(`${PATH}/${pendingEntry.id}`);
  await screen.findByRole("button", { name: "Send again" });

  records = [{ ...SIGNED_WAIVER, session_id: pendingEntry.id, signer_name: "Ana Ortiz" }];
  await queryClient.invalidateQueries({ queryKey: ["waivers"] });

  expect(await screen.findByRole("button", { name: "Download PDF" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Send again" })).toBeNull();
});

test("APP-11 an id without a waiver says that there is none", async () => {
  serve({ ...signedResponses, "GET /rest/v1/signed_waivers": { body: [] } });
  showWaivers(SIGNED_PATH);

  expect(await screen.findByRole("heading", { name: "There is no such waiver" })).toBeVisible();
  expect(document.title).toBe("Waiver not found · Cairn");
});

test("APP-11 an unsigned waiver of another company is not shown to someone who knows its link", async () => {
  serve(unsignedResponses({ company_id: "c2" }));
  showWaivers(`${PATH}/${pendingEntry.id}`);

  expect(await screen.findByRole("heading", { name: "There is no such waiver" })).toBeVisible();
  expect(document.body).not.toHaveTextContent("Ana Ortiz");
  expect(screen.queryByText("Waiver Pending")).toBeNull();
});

test("APP-11 a record that the session does not have, and an id that cannot be one, have no waiver", async () => {
  const requests = serve({ ...signedResponses, "GET /rest/v1/signed_waivers": { body: [] } });
  const router = showWaivers(`${SIGNED_PATH}?record=${pendingEntry.id}`);
  expect(await screen.findByRole("heading", { name: "There is no such waiver" })).toBeVisible();
  expect(recordRequests(requests)).toHaveLength(1);

  await router.navigate(`${PATH}/nonsense`);
  expect(await screen.findByRole("heading", { name: "There is no such waiver" })).toBeVisible();
  expect(requests.filter(({ query }) => query.get("session_id") === "eq.nonsense")).toEqual([]);
});

test("while the waiver is loading, its page has a placeholder and the way back", async () => {
  const { wait, respond } = deferredResponse();
  serve({ ...signedResponses, "GET /rest/v1/signed_waivers": { body: [SIGNED_WAIVER], wait } });
  showWaivers(SIGNED_PATH);

  expect(await screen.findByRole("link", { name: "Back to waivers" })).toBeVisible();
  expect(document.querySelector("[aria-busy=true] .skeleton")).not.toBeNull();
  respond();
  expect(await screen.findByRole("heading", { name: "Gil Moreau" })).toBeVisible();
});

test("ERR-23 a waiver that cannot be loaded shows an error and can be retried", async () => {
  let isFailing = true;
  serve({
    ...signedResponses,
    "GET /rest/v1/signed_waivers": () =>
      isFailing ? { status: 404, body: { code: "x", message: "no" } } : { body: [SIGNED_WAIVER] },
  });
  showWaivers(SIGNED_PATH);

  // The request is retried once before the error is shown on the page and in a toast.
  await waitFor(() => expect(screen.getAllByText("Failed to load waiver details")).toHaveLength(2), {
    timeout: 3000,
  });
  isFailing = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "Gil Moreau" })).toBeVisible();
});

test("without a network the page says so, and shows the waiver when the network is back", async () => {
  goOffline();
  showWaivers(SIGNED_PATH);

  expect(await screen.findByRole("heading", { name: "You are offline" })).toBeVisible();
  serve(signedResponses);
  await goOnline();
  expect(await screen.findByRole("heading", { name: "Gil Moreau" })).toBeVisible();
});
