import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { goOffline, stopServer } from "~/../testing/network";
import * as reach from "./reach";

const answered = async () => new Response();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answered);
});
afterEach(() => void vi.useRealTimers());

/** What is under way comes to its end, and so much time goes by. */
const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

test("a server that answers nothing is noticed, and noticed again when it is back", async () => {
  stopServer();
  await expect(reach.trackedFetch("/rest/v1/x")).rejects.toThrow("Failed to fetch");
  await pass();
  expect(reach.currentReach()).toBe("unresponsive");
  expect(reach.unreachableMessage()).toBe("The server could not be reached.");

  vi.stubGlobal("fetch", answered);
  await pass(5_000);

  expect(reach.currentReach()).toBe("online");
});

test("one request that was stopped on its way is not a lost server", async () => {
  vi.stubGlobal("fetch", async (asked: string) => {
    if (!asked.endsWith("/auth/v1/health")) throw new TypeError("blocked");
    return new Response(null, { status: 404 });
  });
  await expect(reach.trackedFetch("/functions/v1/x")).rejects.toThrow("blocked");
  await pass();

  expect(reach.currentReach()).toBe("online");
});

test("a request nobody answers for four seconds raises the question", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    return address.endsWith("health") ? Promise.reject(new TypeError("nobody")) : new Promise(() => {});
  });
  void reach.trackedFetch("/rest/v1/x");

  await pass(3_999);
  expect(asked).toEqual(["/rest/v1/x"]);
  await pass(1);

  expect(reach.currentReach()).toBe("unresponsive");
});

test("without a network it is known at once, and whoever must not wait is told", async () => {
  const told = expect(reach.rejectWhenUnreachable()).rejects.toBeInstanceOf(reach.Unreachable);
  goOffline();

  expect(reach.currentReach()).toBe("offline");
  expect(reach.unreachableMessage()).toMatch(/^You are offline, so nothing was changed\./);
  await told;
});

test("a browser that is wrong about its network is not believed for long", async () => {
  goOffline();
  await pass();
  vi.stubGlobal("fetch", answered);

  await pass(30_000);

  expect(reach.currentReach()).toBe("online");
});
