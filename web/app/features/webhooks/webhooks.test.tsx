import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { goOffline, endOutage } from "~/../testing/network";
import { deferredResponse, ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { Deliveries } from "./components/deliveries";
import { Endpoints } from "./components/endpoints";
import { isDueSoon, outcomeToast, attemptsLabel, nextStep, type Delivery, type Endpoint } from "./model";

const NOW = new Date("2026-06-01T12:00:00Z");
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const endpoint: Endpoint = {
  id: "e1",
  kind: "webhook",
  name: "Booking system",
  url: "https://booking.example.com/waivers",
  secret_made_at: "2026-06-01T00:00:00Z",
  previous_until: null,
  paused: false,
  paused_because: null,
  failing_since: null,
  last_error: null,
  created_at: "2026-06-01T00:00:00Z",
  send_sensitive: false,
};
const delivery: Delivery = {
  id: "d1",
  endpoint_id: "e1",
  kind: "webhook",
  endpoint_name: "Booking system",
  event: "waiver.signed",
  session_id: "s1",
  status: "waiting",
  attempts: 2,
  next_try_at: "2100-01-01T00:00:00Z",
  answer: 500,
  error: "The server answered 500.",
  created_at: "2026-06-01T00:00:00Z",
  tried_at: "2026-06-01T00:00:00Z",
};
const ENDPOINTS = "GET /rest/v1/webhook_endpoints";
const DELIVERIES = "GET /rest/v1/webhook_deliveries";

test.each([
  [{ status: "delivered" }, null],
  [{ error: null }, null],
  [{ next_try_at: null }, "Waits until you resume"],
  [{ next_try_at: "2026-06-01T12:00:20Z" }, "Next try within a minute"],
  [{ next_try_at: "2026-06-01T14:00:00Z" }, "Next try in 2 hours"],
  [{ next_try_at: "2026-06-01T11:59:00Z" }, "Next try now"],
] as const)("the next step of a delivery with %j is %s", (changes, text) => {
  expect(nextStep({ ...delivery, ...changes }, NOW)).toBe(text);
});

test("a delivery is due soon if its next attempt is a minute away, but not if it is decades away", () => {
  expect(isDueSoon({ ...delivery, next_try_at: "2026-06-01T12:01:00Z" }, NOW)).toBe(true);
  expect(isDueSoon(delivery, NOW)).toBe(false);
});

test("the number of attempts is shown in singular or plural", () => {
  expect([attemptsLabel(1), attemptsLabel(2)]).toEqual(["1 try", "2 tries"]);
});

test.each([
  [{ status: "delivered", answer: 204, error: null }, "Test delivered"],
  [{ status: "failed", answer: 500, error: "The server answered 500." }, "Test did not arrive"],
  [{ status: "waiting", answer: null, error: "No answer within 10 seconds." }, "Test did not arrive"],
  [{ status: "waiting", answer: null, error: null }, "Test is on its way"],
] as const)("the outcome %j is shown as %s", (outcome, title) => {
  expect(outcomeToast("Test", outcome).title).toBe(title);
});

test("an endpoint is added to an empty list, an error is shown beside its field, and the secret is shown once", async () => {
  signInAs(ROSA);
  const { wait, respond } = deferredResponse();
  let saveCount = 0;
  const requests = serve({
    [ENDPOINTS]: { body: [], wait },
    "POST /functions/v1/save-webhook": () => {
      saveCount += 1;
      if (saveCount > 1) return { body: { id: "e1", secret: SECRET } };
      const reason = "There is no server called nowhere.example.";
      return { status: 400, body: { error: reason, code: "webhook_invalid", field: "url", reason } };
    },
  });
  show(<Endpoints kind="webhook" />);
  expect(screen.queryByText("No address yet")).not.toBeInTheDocument();
  respond();

  await userEvent.click(await screen.findByRole("button", { name: "Add address" }));
  const dialog = within(screen.getByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Add address" }));
  expect(dialog.getByRole("alert")).toHaveTextContent("Please enter an address with https://");
  await userEvent.type(dialog.getByLabelText(/^Address/), "https://nowhere.example/");
  await userEvent.click(dialog.getByRole("button", { name: "Add address" }));
  expect(await dialog.findByText("There is no server called nowhere.example.")).toBeVisible();
  expect(dialog.getByLabelText(/^Address/)).toHaveFocus();
  await userEvent.click(dialog.getByRole("button", { name: "Add address" }));

  expect(await screen.findByLabelText("Signing secret")).toHaveTextContent(SECRET);
  await userEvent.click(screen.getByRole("button", { name: "Copy secret" }));
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByText(SECRET)).not.toBeInTheDocument();
  expect(requests.find(({ method }) => method === "POST")?.body).toEqual({
    name: "",
    url: "https://nowhere.example/",
    kind: "webhook",
  });
});

test("FORM-36 a company chooses for each address whether answers to sensitive questions are sent", async () => {
  signInAs(ROSA);
  const requests = serve({
    [ENDPOINTS]: { body: [{ ...endpoint, send_sensitive: true }] },
    "POST /functions/v1/save-webhook": { body: { id: "e1" } },
  });
  show(<Endpoints kind="webhook" />);
  await userEvent.click(await screen.findByRole("button", { name: "More for Booking system" }));
  await userEvent.click(screen.getByRole("menuitem", { name: "Change" }));
  const choice = screen.getByRole("checkbox", { name: /^Also send answers to sensitive questions/ });
  expect(choice).toBeChecked();

  await userEvent.click(choice);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(requests.find(({ method }) => method === "POST")?.body).toMatchObject({
    id: "e1",
    send_sensitive: false,
  });
});

test("a failing endpoint shows since when and why deliveries fail, and a paused endpoint cannot be tested", async () => {
  signInAs(ROSA);
  const failingEndpoint = {
    ...endpoint,
    failing_since: "2026-06-01T00:00:00Z",
    last_error: "The server answered 500.",
  };
  const pausedEndpoint = { ...endpoint, id: "e2", name: "Old website", paused: true };
  const goneEndpoint = { ...pausedEndpoint, id: "e3", name: "Kiosk", paused_because: "gone" };
  const requests = serve({
    [ENDPOINTS]: { body: [failingEndpoint, pausedEndpoint, goneEndpoint] },
    "PATCH /rest/v1/webhook_endpoints": { status: 204 },
  });
  show(<Endpoints kind="webhook" />);

  expect(await screen.findByText(/Nothing has arrived since .* The server answered 500\./)).toBeVisible();
  expect(screen.getByText("Waivers signed while it is paused are not sent later.")).toBeVisible();
  expect(screen.getByText(/returned 410 Gone, so we paused it/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Send a test to Old website" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "More for Old website" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Resume" }));

  expect(await screen.findByText("Resumed")).toBeVisible();
  const request = requests.find(({ method }) => method === "PATCH");
  expect([request?.query.get("id"), request?.body]).toEqual(["eq.e2", { paused: false }]);
});

test("disconnecting a Zap asks for confirmation, and an error of the server is shown in the dialog", async () => {
  signInAs(ROSA);
  serve({
    [ENDPOINTS]: { body: [{ ...endpoint, kind: "zapier", name: "Crew sheet" }] },
    "DELETE /rest/v1/webhook_endpoints": { status: 503, body: { message: "Busy.", code: "x" } },
  });
  show(<Endpoints kind="zapier" />);

  await userEvent.click(await screen.findByRole("button", { name: "More for Crew sheet" }));
  expect(screen.queryByRole("menuitem", { name: "Renew secret" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("menuitem", { name: "Disconnect" }));
  const dialog = within(screen.getByRole("dialog", { name: "Disconnect this Zap?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Disconnect" }));

  expect(await dialog.findByRole("alert")).toHaveTextContent("Busy.");
});

test("a delivery shows its outcome and next attempt, and can be sent again", async () => {
  signInAs(ROSA);
  let status = "waiting";
  serve({
    [DELIVERIES]: () => ({
      body: [{ ...delivery, status, error: status === "waiting" ? delivery.error : null }],
    }),
    "POST /functions/v1/resend-webhook": ({ body }) => {
      expect(body).toEqual({ delivery: "d1" });
      status = "delivered";
      return { body: { id: "d1", status, answer: 200, error: null } };
    },
  });
  show(<Deliveries kind="webhook" waiverPath={(id) => `/waivers/${id}`} />);

  const item = within(await screen.findByRole("listitem"));
  expect(item.getByText("Will be tried again")).toBeVisible();
  expect(item.getByText("The server answered 500.")).toBeVisible();
  expect(item.getByText("2 tries")).toBeVisible();
  expect(item.getByText(/^Next try in \d+ years$/)).toBeVisible();
  expect(item.getByRole("link", { name: "See the waiver" })).toHaveAttribute("href", "/waivers/s1");
  await userEvent.click(item.getByRole("button", { name: "Send again" }));

  expect(await screen.findByText("Event delivered")).toBeVisible();
  await waitFor(() => expect(screen.getByText("Delivered")).toBeVisible());
});

test("if the lists cannot be loaded, a retry is offered, and without a network the page says so", async () => {
  signInAs(ROSA);
  serve({
    [ENDPOINTS]: { status: 401, body: { message: "no", code: "x" } },
    [DELIVERIES]: { status: 401, body: { message: "no", code: "x" } },
  });
  show(
    <>
      <Endpoints kind="webhook" />
      <Deliveries kind="webhook" waiverPath={String} />
    </>,
  );
  expect(await screen.findByText("Your connections could not be loaded")).toBeVisible();
  expect(await screen.findByText("Deliveries could not be loaded")).toBeVisible();
  expect(screen.getAllByRole("button", { name: "Try again" })).toHaveLength(2);

  goOffline();
  expect(await screen.findAllByText("You are offline")).toHaveLength(2);
  await endOutage();
});
