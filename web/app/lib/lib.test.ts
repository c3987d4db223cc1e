import { runInThisContext } from "node:vm";
import { QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { goOffline, goOnline } from "~/../testing/network";
import { serve } from "~/../testing/server";
import { clearBrowserData, writeCache, readCache, saveLastSend } from "./browser-cache";
import { rejectWhenUnreachable } from "./connection";
import { throttle } from "./throttle";
import { isoDate, relativeTime, spokenTime } from "./dates";
import { reconnectDelayMs } from "./realtime-client";
import { shouldRetry, queryClient, retryDelayMs } from "./query-client";
import { RequestFailed } from "./request-failed";
import { freshSession } from "./stored-session";
import { contours } from "./terrain";
import { chooseTheme, chosenTheme, THEME_SCRIPT } from "./theme";

test("UX-05 a failed query is retried three times, and the delay doubles from 1 s up to at most 30 s", async () => {
  vi.useFakeTimers();
  const query = vi.fn(() => Promise.reject(new Error("down")));
  const result = queryClient.fetchQuery({ queryKey: ["down"], queryFn: query }).catch(() => "gave up");

  for (const [retries, seconds] of [1, 2, 4].entries()) {
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(query).toHaveBeenCalledTimes(retries + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(query).toHaveBeenCalledTimes(retries + 2);
  }
  expect(await result).toBe("gave up");
  vi.useRealTimers();
  expect([4, 5, 9].map(retryDelayMs)).toEqual([16_000, 30_000, 30_000]);
});

test.each([
  [0, 3],
  [401, 0],
  [404, 0],
  [406, 3],
  [429, 3],
  [500, 3],
  [503, 3],
])("UX-05 a query that fails with status %i is retried %i times", (status, retries) => {
  const error = new RequestFailed("no", status, "");
  expect([0, 1, 2, 3].filter((failureCount) => shouldRetry(failureCount, error))).toHaveLength(retries);
});

test("UX-05 a query without a connection is not retried by a timer, but as soon as the server responds", async () => {
  goOffline();
  let isBack = false;
  const query = vi.fn(() => (isBack ? Promise.resolve("loaded") : rejectWhenUnreachable()));
  const observer = new QueryObserver(queryClient, {
    queryKey: ["outage"],
    queryFn: query,
    networkMode: "always",
  });
  const unsubscribe = observer.subscribe(() => {});
  await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true));
  expect(query).toHaveBeenCalledOnce();

  isBack = true;
  serve({});
  await goOnline();

  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("loaded"));
  expect(query).toHaveBeenCalledTimes(2);
  unsubscribe();
});

test("UX-06 unused query data is dropped after 5 minutes", async () => {
  vi.useFakeTimers();
  queryClient.setQueryData(["unused"], "once");

  await vi.advanceTimersByTimeAsync(299_999);
  expect(queryClient.getQueryData(["unused"])).toBe("once");
  await vi.advanceTimersByTimeAsync(1);
  expect(queryClient.getQueryData(["unused"])).toBeUndefined();
  vi.useRealTimers();
});

test("RT-03 a lost realtime connection is retried after 1, 2, 5 and then every 10 s", () => {
  expect([1, 2, 3, 4, 5, 50].map(reconnectDelayMs)).toEqual([1000, 2000, 5000, 10_000, 10_000, 10_000]);
});

test("a stored session is used only if it is valid for another 90 s", () => {
  const storedText = JSON.stringify({ access_token: "t", expires_at: 1000, user: { id: "rosa" } });
  expect(freshSession(storedText, 909_000)?.access_token).toBe("t");
  expect(freshSession(storedText, 910_000)).toBeNull();
  expect(freshSession("{}", 0)).toBeNull();
  expect(freshSession("nonsense", 0)).toBeNull();
});

test("the browser cache can be read and cleared, and malformed values are ignored", async () => {
  writeCache("waiverTemplates", [1]);
  saveLastSend({ result: "sent" });
  expect(readCache("waiverTemplates")).toEqual([1]);
  localStorage.setItem("user", "{broken");
  expect(readCache("user")).toBeNull();

  await clearBrowserData();

  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test.each([
  ["2026-03-04T11:59:30Z", "just now"],
  ["2026-03-04T11:58:00Z", "2 minutes ago"],
  ["2026-03-03T12:00:00Z", "yesterday"],
  ["2026-01-01T12:00:00Z", "2 months ago"],
])("%s is displayed as %s", (then, text) => {
  expect(relativeTime(new Date(then), new Date("2026-03-04T12:00:00Z"))).toBe(text);
});

test("a date is formatted as year, month and day", () => {
  expect(isoDate(new Date(2026, 0, 5))).toBe("2026-01-05");
});

test("a chosen theme is applied before the first paint, and the system theme removes the choice", () => {
  chooseTheme("dark");
  delete document.documentElement.dataset.theme;
  runInThisContext(THEME_SCRIPT);
  expect(chosenTheme()).toBe("dark");

  chooseTheme("system");
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(chosenTheme()).toBe("system");
});

test("a seed always gives the same contour lines, and another seed gives different ones", () => {
  expect(contours("rio", 400, 240, 5)).toEqual(contours("rio", 400, 240, 5));
  expect(contours("rio", 400, 240, 5)).not.toEqual(contours("alp", 400, 240, 5));
  expect(contours("rio", 400, 240, 5).join("")).toMatch(/^M\d+ \d+Q/);
});

test("a throttled function runs immediately, and only once more for all calls during the interval", () => {
  vi.useFakeTimers();
  const action = vi.fn();
  const run = throttle(action, 1_000);

  for (let calls = 0; calls < 50; calls++) run();
  expect(action).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(action).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(action).toHaveBeenCalledTimes(2);
  run();
  expect(action).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});

test.each([
  ["2026-03-04T09:40:00", "Today, 9:40 AM"],
  ["2026-03-04T00:00:00", "Today, 12:00 AM"],
  ["2026-03-03T23:59:00", "Yesterday, 11:59 PM"],
  ["2026-03-02T09:40:00", "March 2, 2026 at 9:40 AM"],
  ["2026-03-05T09:40:00", "March 5, 2026 at 9:40 AM"],
])("DASH-11 on March 4, %s is shown as %s", (then, text) => {
  expect(spokenTime(new Date(then), new Date("2026-03-04T12:00:00"))).toBe(text);
});
