import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { listRow, listRun, RIVER_DAY, SENT_RESPONSES } from "~/../testing/list-run";
import { deferredResponse, GIL, ROSA, serve, signInAs, type RecordedRequest } from "~/../testing/server";
import { readCache } from "~/lib/browser-cache";
import { isFinished, parseRun, type ListRun } from "./list-run";

const EMAIL = "POST /functions/v1/send-email";

/** Each test has its own store, as if the page had just been loaded. */
async function openPage() {
  vi.resetModules();
  const store = await import("./run-store");
  return { ...store, hook: renderHook(() => store.useListRun()).result };
}

type EmailResponse = { status?: number; body?: object; wait?: Promise<void> };

/** The server takes `count` emails, and responds to all later ones with `later`. */
function serveEmails(count: number, later: EmailResponse): RecordedRequest[] {
  let served = 0;
  const respond = () => {
    served += 1;
    return served <= count ? SENT_RESPONSES[EMAIL] : later;
  };
  return serve({ ...SENT_RESPONSES, [EMAIL]: respond });
}

const emailKeys = (requests: RecordedRequest[]) =>
  requests
    .filter(({ path }) => path.endsWith("send-email"))
    .map(({ body }) => String(Object(body).idempotencyKey))
    .toSorted();

const storedRun = (): ListRun | null => parseRun(readCache("listSending"));
const sentRows = (run: ListRun | null) =>
  run?.rows.filter(({ outcome }) => outcome?.result === "sent").map(({ number }) => number);

const tenRows = () => listRun(Array.from({ length: 10 }, (_, index) => listRow(index + 1)));
const withOtherKeys = (run: ListRun): ListRun => ({
  ...run,
  rows: run.rows.map((row) => ({ ...row, idempotencyKey: `other-${row.number}` })),
});

beforeEach(() => {
  localStorage.clear();
  signInAs(ROSA);
});

test("APP-42 every row is sent once, also if Send is pressed twice", async () => {
  const requests = serve(SENT_RESPONSES);
  const { startRun, hook } = await openPage();

  await act(() =>
    Promise.all([startRun(tenRows(), RIVER_DAY), startRun(withOtherKeys(tenRows()), RIVER_DAY)]),
  );

  expect(emailKeys(requests)).toEqual(
    tenRows()
      .rows.map(({ idempotencyKey }) => idempotencyKey)
      .toSorted(),
  );
  expect(hook.current).toMatchObject({ isSending: false, pause: null });
  expect(hook.current.run && isFinished(hook.current.run)).toBe(true);
});

test("APP-42 after a reload, only the rest is sent, with the same keys", async () => {
  // The server goes away after three emails. It has taken the fourth, but the browser does not know.
  const { wait, respond } = deferredResponse();
  const requests = serveEmails(3, { ...SENT_RESPONSES[EMAIL], wait });
  const first = await openPage();
  const lostRun = first.startRun(tenRows(), RIVER_DAY);
  await waitFor(() => expect(sentRows(storedRun())).toHaveLength(3));
  await waitFor(() => expect(emailKeys(requests)).toHaveLength(7));
  const lostKeys = emailKeys(requests);

  const laterRequests = serve(SENT_RESPONSES);
  const second = await openPage();
  const sentBefore = sentRows(second.hook.current.run) ?? [];
  expect(sentBefore).toHaveLength(3);
  expect(laterRequests).toEqual([]);
  await act(() => second.continueRun(RIVER_DAY));

  expect(sentRows(storedRun())).toHaveLength(10);
  const rest = tenRows().rows.filter(({ number }) => !sentBefore.includes(number));
  expect(emailKeys(laterRequests)).toEqual(rest.map(({ idempotencyKey }) => idempotencyKey).toSorted());
  expect(new Set([...lostKeys, ...emailKeys(laterRequests)]).size).toBe(10);

  // Other tests use the same window, in which a list that is being sent would warn before the page is closed.
  first.stopRun();
  respond();
  await lostRun;
});

test("APP-42 a list that lost its connection continues by itself", async () => {
  serve(SENT_RESPONSES);
  const { startRun, hook } = await openPage();
  // The store has its own connection state, because the modules were loaded again.
  const { goOffline, goOnline } = await import("~/../testing/network");
  goOffline();
  await act(() => startRun(tenRows(), RIVER_DAY));
  expect(hook.current).toMatchObject({ isSending: false, pause: { kind: "unreachable" } });
  expect(sentRows(hook.current.run)).toEqual([]);

  const requests = serve(SENT_RESPONSES);
  await goOnline();

  await waitFor(() => expect(sentRows(hook.current.run)).toHaveLength(10));
  expect(emailKeys(requests)).toHaveLength(10);
});

test("APP-42 Stop lets the rows that are being sent finish, and Continue sends the others", async () => {
  const { wait, respond } = deferredResponse();
  const requests = serve({ ...SENT_RESPONSES, [EMAIL]: { ...SENT_RESPONSES[EMAIL], wait } });
  const { startRun, stopRun, continueRun, closeRun, hook } = await openPage();
  const running = startRun(tenRows(), RIVER_DAY);
  // A second request to send changes nothing.
  void continueRun(RIVER_DAY);
  await waitFor(() => expect(emailKeys(requests)).toHaveLength(4));

  act(() => stopRun());
  act(() => closeRun());
  expect(hook.current.run).not.toBeNull();
  respond();
  await act(() => running);
  expect(sentRows(hook.current.run)).toEqual([1, 2, 3, 4]);
  expect(emailKeys(requests)).toHaveLength(4);

  await act(() => continueRun(RIVER_DAY));
  expect(emailKeys(requests)).toHaveLength(10);
  expect(new Set(emailKeys(requests)).size).toBe(10);
});

test("APP-42 a limit stops the list, and no further row is sent", async () => {
  const limit = { error: "That is all for today.", code: "daily_limit_reached" };
  const requests = serveEmails(2, { status: 429, body: limit });
  const { startRun, hook } = await openPage();

  await act(() => startRun(tenRows(), RIVER_DAY));

  expect(hook.current.pause).toEqual({ kind: "refused", reason: "That is all for today." });
  expect(sentRows(hook.current.run)).toHaveLength(2);
  expect(emailKeys(requests).length).toBeLessThanOrEqual(6);
});

test("APP-42 only the rows that failed are tried again", async () => {
  const fail = { status: 502, body: { error: "Mailbox full", code: "email_not_delivered" } };
  serve({
    ...SENT_RESPONSES,
    [EMAIL]: ({ body }) => (Object(body).to === "guest3@example.com" ? fail : SENT_RESPONSES[EMAIL]),
  });
  const { startRun, sendFailedRowsAgain, hook } = await openPage();
  await act(() => startRun(tenRows(), RIVER_DAY));
  expect(hook.current.run?.rows[2]?.outcome).toEqual({ result: "failed", reason: "Mailbox full" });

  const requests = serve(SENT_RESPONSES);
  await act(() => sendFailedRowsAgain(RIVER_DAY));

  expect(sentRows(hook.current.run)).toHaveLength(10);
  expect(emailKeys(requests)).toHaveLength(1);
  expect(emailKeys(requests)).not.toEqual(["key-3"]);
});

test("APP-42 a row that is still on its way is asked for again", async () => {
  let emailCount = 0;
  serve({
    ...SENT_RESPONSES,
    [EMAIL]: () => {
      emailCount += 1;
      return emailCount === 1
        ? { status: 202, body: { id: "m1", status: "sending" } }
        : SENT_RESPONSES[EMAIL];
    },
  });
  const { startRun, hook } = await openPage();

  await act(() => startRun(listRun([listRow(1)]), RIVER_DAY));

  expect(hook.current.run?.rows[0]?.outcome).toEqual({ result: "sent" });
  expect(emailCount).toBe(2);
});

test("APP-42 another user of the browser neither sees nor sends the list", async () => {
  const { wait, respond } = deferredResponse();
  const requests = serve({ ...SENT_RESPONSES, [EMAIL]: { ...SENT_RESPONSES[EMAIL], wait } });
  const { startRun, continueRun, hook } = await openPage();
  const running = startRun(tenRows(), RIVER_DAY);
  await waitFor(() => expect(emailKeys(requests)).toHaveLength(4));

  localStorage.clear();
  signInAs(GIL);
  respond();
  await act(() => running);
  await act(() => continueRun(RIVER_DAY));

  expect(emailKeys(requests)).toHaveLength(4);
  expect(hook.current.run).toBeNull();
  expect(readCache("listSending")).toBeNull();
});

test("APP-42 a closed list is forgotten, and a list that is damaged is ignored", async () => {
  serve(SENT_RESPONSES);
  const { startRun, closeRun, hook } = await openPage();
  await act(() => startRun(listRun([listRow(1)]), RIVER_DAY));
  act(() => closeRun());
  expect(hook.current.run).toBeNull();
  expect(readCache("listSending")).toBeNull();

  localStorage.setItem("listSending", JSON.stringify({ rows: "none" }));
  const { hook: reloaded } = await openPage();
  expect(reloaded.current.run).toBeNull();
});
