import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { goOffline, stopServer } from "~/../testing/network";
import * as reach from "./reach";

const respond = async () => new Response();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", respond);
});
afterEach(() => void vi.useRealTimers());

const advance = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

test("a server that stops responding is noticed, and so is its return", async () => {
  stopServer();
  await expect(reach.trackedFetch("/rest/v1/x")).rejects.toThrow("Failed to fetch");
  await advance();
  expect(reach.currentReach()).toBe("unresponsive");
  expect(reach.unreachableMessage()).toBe("The server could not be reached.");

  vi.stubGlobal("fetch", respond);
  await advance(5_000);

  expect(reach.currentReach()).toBe("online");
});

test("a single blocked request does not make the server unreachable", async () => {
  vi.stubGlobal("fetch", async (address: string) => {
    if (!address.endsWith("/auth/v1/health")) throw new TypeError("blocked");
    return new Response(null, { status: 404 });
  });
  await expect(reach.trackedFetch("/functions/v1/x")).rejects.toThrow("blocked");
  await advance();

  expect(reach.currentReach()).toBe("online");
});

test("a request without a response for four seconds triggers a check", async () => {
  const requested: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    requested.push(address);
    return address.endsWith("health") ? Promise.reject(new TypeError("no route")) : new Promise(() => {});
  });
  void reach.trackedFetch("/rest/v1/x");

  await advance(3_999);
  expect(requested).toEqual(["/rest/v1/x"]);
  await advance(1);

  expect(reach.currentReach()).toBe("unresponsive");
});

test("a lost network is noticed immediately and rejects the requests that must not wait", async () => {
  const rejection = expect(reach.rejectWhenUnreachable()).rejects.toBeInstanceOf(reach.Unreachable);
  goOffline();

  expect(reach.currentReach()).toBe("offline");
  expect(reach.unreachableMessage()).toMatch(/^You are offline, so nothing was changed\./);
  await rejection;
});

test("a browser that wrongly reports being offline is rechecked after 30 seconds", async () => {
  goOffline();
  await advance();
  vi.stubGlobal("fetch", respond);

  await advance(30_000);

  expect(reach.currentReach()).toBe("online");
});
