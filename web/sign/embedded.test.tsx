import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stubCanvas } from "../testing/canvas";
import { heading, leave, open, pass, sign } from "./page.testing";
import { CONSENT, DataService, TEMPLATE } from "./service.testing";

const RIO = "c0ffee00-0000-4000-8000-000000000000";
const HERE = `/embed/tpl-river?company=${RIO}`;
const WAIVER = {
  kind: "template",
  template: TEMPLATE,
  company_name: "Rio Rafting",
  company: RIO,
  consent: CONSENT,
};

let service: DataService;
beforeEach(() => {
  vi.useFakeTimers();
  stubCanvas();
  service = new DataService();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  leave.mockReset();
});

test("in a frame the receipt stays, and the next person begins anew", async () => {
  await open(WAIVER, HERE);
  await sign();
  await pass(10_000);

  expect(heading("Waiver signed")).toBeVisible();
  expect(leave).not.toHaveBeenCalled();
  expect(screen.queryByRole("link", { name: "Done" })).toBeNull();
  expect(screen.getByRole("link", { name: "Next person to sign" })).toHaveAttribute("href", location.href);
});

test("in a frame nobody signs in the name of the company that is signed in on this device", async () => {
  const session = { access_token: "rosa", refresh_token: "once", expires_at: 9_999_999_999 };
  localStorage.setItem("sb-cairn-auth-token", JSON.stringify(session));
  service.company = { id: RIO, name: "Rio Rafting" };

  await open(WAIVER, HERE);
  await sign();

  expect(service.signed.size).toBe(1);
  expect(new Set(service.tokens)).toEqual(new Set(["anon"]));
});

const closed = () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

test("in a frame whose storage is closed everything works", async () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(closed);
  vi.spyOn(window, "sessionStorage", "get").mockImplementation(closed);

  await open(WAIVER, HERE);
  await sign();

  expect(heading("Waiver signed")).toBeVisible();
});

test("what is said in a frame takes the focus from nobody who reads the website around it", async () => {
  const focused = vi.spyOn(document, "hasFocus").mockReturnValue(false);
  await open({ kind: "missing", what: "template" }, HERE);
  expect(document.body).toHaveFocus();
  cleanup();

  focused.mockReturnValue(true);
  await open(WAIVER, HERE);
  await sign();
  expect(heading("Waiver signed")).toHaveFocus();
});

test("a waiver that could not be loaded is asked of the server again, never past it", async () => {
  await open({ kind: "unavailable" }, HERE);

  expect(screen.getByText("Failed to load waiver data.")).toBeVisible();
  expect(service.requests).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(leave).toHaveBeenCalledOnce();
});

test("the code for the phone leads out of the frame", async () => {
  await open(WAIVER, HERE);

  expect(screen.getByAltText("QR code that opens this waiver")).toHaveAttribute(
    "src",
    `/waivers/sign/tpl-river/qr.svg?company=${RIO}`,
  );
});
