import { runInThisContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { clearBrowserData, writeCache, readCache, saveLastSend } from "./browser-cache";
import { throttle } from "./throttle";
import { isoDate, relativeTime } from "./dates";
import { reconnectDelay } from "./realtime-client";
import { shouldRetry, queryClient, retryDelay } from "./query-client";
import { RequestFailed } from "./request";
import { freshSession } from "./stored-session";
import { contours } from "./terrain";
import { chooseTheme, chosenTheme, THEME_SCRIPT } from "./theme";

test("UX-05 a query is tried three times more, after 1 s, doubled, at most 30 s", async () => {
  vi.useFakeTimers();
  const ask = vi.fn(() => Promise.reject(new Error("down")));
  const answer = queryClient.fetchQuery({ queryKey: ["down"], queryFn: ask }).catch(() => "gave up");

  for (const [times, seconds] of [1, 2, 4].entries()) {
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(ask).toHaveBeenCalledTimes(times + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ask).toHaveBeenCalledTimes(times + 2);
  }
  expect(await answer).toBe("gave up");
  vi.useRealTimers();
  expect([4, 5, 9].map(retryDelay)).toEqual([16_000, 30_000, 30_000]);
});

test.each([401, 404])("status %i is never retried", (status) => {
  expect(shouldRetry(0, new RequestFailed("no", status, ""))).toBe(false);
});

test("UX-06 unused answers are dropped after 5 minutes", async () => {
  vi.useFakeTimers();
  queryClient.setQueryData(["seen"], "once");

  await vi.advanceTimersByTimeAsync(299_999);
  expect(queryClient.getQueryData(["seen"])).toBe("once");
  await vi.advanceTimersByTimeAsync(1);
  expect(queryClient.getQueryData(["seen"])).toBeUndefined();
  vi.useRealTimers();
});

test("RT-03 a lost line is taken up again after 1, 2, 5, 10 and then always 10 s", () => {
  expect([1, 2, 3, 4, 5, 50].map(reconnectDelay)).toEqual([1000, 2000, 5000, 10_000, 10_000, 10_000]);
});

test("a stored session is used only while it lives for another 90 s", () => {
  const stored = JSON.stringify({ access_token: "t", expires_at: 1000, user: { id: "rosa" } });
  expect(freshSession(stored, 909_000)?.access_token).toBe("t");
  expect(freshSession(stored, 910_000)).toBeNull();
  expect(freshSession("{}", 0)).toBeNull();
  expect(freshSession("nonsense", 0)).toBeNull();
});

test("what the browser keeps can be read back, survives nonsense, and can be forgotten", async () => {
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
])("%s is %s", (then, words) => {
  expect(relativeTime(new Date(then), new Date("2026-03-04T12:00:00Z"))).toBe(words);
});

test("a date is written as year, month and day", () => {
  expect(isoDate(new Date(2026, 0, 5))).toBe("2026-01-05");
});

test("a theme once chosen is there before anything is painted, and the system's is the absence of a choice", () => {
  chooseTheme("dark");
  delete document.documentElement.dataset.theme;
  runInThisContext(THEME_SCRIPT);
  expect(chosenTheme()).toBe("dark");

  chooseTheme("system");
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(chosenTheme()).toBe("system");
});

test("a seed always gives the same landscape, and another seed another", () => {
  expect(contours("rio", 400, 240, 5)).toEqual(contours("rio", 400, 240, 5));
  expect(contours("rio", 400, 240, 5)).not.toEqual(contours("alp", 400, 240, 5));
  expect(contours("rio", 400, 240, 5).join("")).toMatch(/^M\d+ \d+Q/);
});

test("what is asked for many times at once is done at once and once more, never forgotten", () => {
  vi.useFakeTimers();
  const act = vi.fn();
  const ask = throttle(act, 1_000);

  for (let times = 0; times < 50; times++) ask();
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(act).toHaveBeenCalledTimes(2);
  ask();
  expect(act).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
