import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listRow, listRun, RIVER_DAY, SENT_RESPONSES } from "~/../testing/list-run";
import { goOffline } from "~/../testing/network";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { sendListed, type Step } from "./send-listed";

const row = listRow(1, { name: "Gil Moreau", email: "gil@example.com", phone: "+12125550123" });
const run = listRun([row], { message: "See you at the dock." });

beforeEach(() => {
  signInAs(ROSA);
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Sends the row. The pauses before repeated requests take no time. */
async function send() {
  const steps: Step[] = [];
  void sendListed(run, row, RIVER_DAY).then((step) => steps.push(step));
  while (steps.length === 0) await vi.advanceTimersByTimeAsync(1000);
  return steps[0];
}

const refusal = (status: number, code: string) => ({
  ...SENT_RESPONSES,
  "POST /functions/v1/send-email": { status, body: { error: `Refused: ${code}`, code } },
});

test("APP-42 a row is stored and sent with the ids and the key that the browser chose", async () => {
  const requests = serve(SENT_RESPONSES);

  expect(await send()).toEqual({ row: { ...row, isStored: true, outcome: { result: "sent" } } });

  const recipient = { recipient_name: "Gil Moreau", recipient_email: "gil@example.com" };
  expect(requests.map(({ path, body }) => [path, body])).toMatchObject([
    ["/rest/v1/waiver_sessions", { id: "session-1", template_id: "tpl-1", ...recipient }],
    ["/rest/v1/sent_waivers", { id: "sending-1", session_id: "session-1", sent_as_pdf: false, ...recipient }],
    [
      "/functions/v1/send-email",
      { to: "gil@example.com", sessionId: "session-1", idempotencyKey: "key-1", phone: "+12125550123" },
    ],
  ]);
  expect(requests[1]?.headers.get("prefer")).toContain("resolution=ignore-duplicates");
  expect(requests[2]?.body).toMatchObject({
    body: expect.stringMatching(
      /^Hi Gil,\n\nSee you at the dock\.\n\n[^]*\/waivers\/sign\/session\/session-1\n/,
    ),
  });
});

test("APP-42 a row that the mail server refuses has the reason, and gets a new key for the next try", async () => {
  serve(refusal(502, "email_not_delivered"));

  const step = await send();

  expect(step).toMatchObject({
    row: { outcome: { result: "failed", reason: "Refused: email_not_delivered" } },
  });
  expect(step).not.toMatchObject({ row: { idempotencyKey: "key-1" } });
  expect(step).toMatchObject({ row: { sessionId: "session-1", sendingId: "sending-1" } });
});

test.each([
  [400, "recipient_invalid"],
  [429, "recipient_limit_reached"],
])(
  "APP-42 a refusal of one row with %i %s keeps its key, and does not stop the others",
  async (status, code) => {
    serve(refusal(status, code));

    expect(await send()).toEqual({
      row: { ...row, isStored: true, outcome: { result: "failed", reason: `Refused: ${code}` } },
    });
  },
);

test.each([
  [429, "daily_limit_reached"],
  [429, "unconfirmed_limit_reached"],
  [429, "network_limit_reached"],
  [402, "plan_limit_reached"],
  [403, "company_suspended"],
  [401, ""],
])("APP-42 %i %s stops the list with the reason", async (status, code) => {
  serve(refusal(status, code));

  expect(await send()).toEqual({
    pause: { kind: "refused", reason: `Refused: ${code}` },
  });
});

test.each([
  ["POST /rest/v1/waiver_sessions", 503],
  ["POST /rest/v1/sent_waivers", 500],
  ["POST /functions/v1/send-email", 503],
  ["POST /functions/v1/send-email", 502],
  ["POST /functions/v1/send-email", 429],
])("APP-42 if %s answers %i once, the same requests are repeated", async (path, status) => {
  let failures = 1;
  const requests = serve({
    ...SENT_RESPONSES,
    [path]: () => {
      failures -= 1;
      const isFailure = failures >= 0;
      const [, , , response] = Object.values(SENT_RESPONSES);
      if (isFailure) return { status, body: { message: "busy", code: "busy", error: "busy" } };
      return path.endsWith("send-email") ? (response ?? {}) : { status: 201, body: { id: "x" } };
    },
  });

  expect(await send()).toEqual({ row: { ...row, isStored: true, outcome: { result: "sent" } } });

  const keys = requests.filter(({ path: called }) => `POST ${called}` === path).map(({ body }) => body);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toEqual(keys[0]);
});

test("APP-42 a server that stays busy pauses the list", async () => {
  const requests = serve(refusal(503, "database_busy"));

  expect(await send()).toEqual({
    pause: { kind: "busy", reason: "Refused: database_busy" },
  });
  expect(requests.filter(({ path }) => path.endsWith("send-email"))).toHaveLength(4);
});

test("APP-42 without a connection, the list waits for it", async () => {
  serve(SENT_RESPONSES);
  goOffline();

  expect(await send()).toMatchObject({ pause: { kind: "unreachable" } });
});

test("APP-42 a session that the server refuses is the outcome of its row", async () => {
  serve({
    ...SENT_RESPONSES,
    "POST /rest/v1/waiver_sessions": { status: 400, body: { code: "PT400", message: "Not an address." } },
  });

  expect(await send()).toEqual({
    row: { ...row, outcome: { result: "failed", reason: "Not an address." } },
  });
});
