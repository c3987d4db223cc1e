import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { goOffline, stopServer } from "~/../testing/network";
import * as connection from "./connection";

const respond = async () => new Response();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", respond);
});
afterEach(() => void vi.useRealTimers());

const advance = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

test("the app notices when the server stops responding and when it responds again", async () => {
  stopServer();
  await expect(connection.trackedFetch("/rest/v1/x")).rejects.toThrow("Failed to fetch");
  await advance();
  expect(connection.connectionState()).toBe("unresponsive");
  expect(connection.unreachableMessage()).toBe("The server could not be reached.");

  vi.stubGlobal("fetch", respond);
  await advance(5_000);

  expect(connection.connectionState()).toBe("online");
});

test("a single blocked request does not make the server unreachable", async () => {
  vi.stubGlobal("fetch", async (url: string) => {
    if (!url.endsWith("/auth/v1/health")) throw new TypeError("blocked");
    return new Response(null, { status: 404 });
  });
  await expect(connection.trackedFetch("/functions/v1/x")).rejects.toThrow("blocked");
  await advance();

  expect(connection.connectionState()).toBe("online");
});

test("a request without a response for four seconds triggers a check", async () => {
  const requestedUrls: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    requestedUrls.push(url);
    return url.endsWith("health") ? Promise.reject(new TypeError("no route")) : new Promise(() => {});
  });
  void connection.trackedFetch("/rest/v1/x");

  await advance(3_999);
  expect(requestedUrls).toEqual(["/rest/v1/x"]);
  await advance(1);

  expect(connection.connectionState()).toBe("unresponsive");
});

test("the app notices a lost network immediately and rejects the requests that must not wait", async () => {
  const rejection = expect(connection.rejectWhenUnreachable()).rejects.toBeInstanceOf(connection.Unreachable);
  goOffline();

  expect(connection.connectionState()).toBe("offline");
  expect(connection.unreachableMessage()).toMatch(/^You are offline, so nothing was changed\./);
  await rejection;
});

test("if the browser wrongly reports that it is offline, the server is checked again after 30 seconds", async () => {
  goOffline();
  await advance();
  vi.stubGlobal("fetch", respond);

  await advance(30_000);

  expect(connection.connectionState()).toBe("online");
});
