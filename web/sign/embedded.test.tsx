import { cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { hasStoredSession } from "./company-session";
import * as page from "./page.testing";
import { CONSENT, TEMPLATE } from "./fake-server.testing";

const RIO_ID = "c0ffee00-0000-4000-8000-000000000000";
const EMBED_PATH = `/embed/tpl-river?company=${RIO_ID}`;
const WAIVER = {
  kind: "template",
  template: TEMPLATE,
  company_name: "Rio Rafting",
  company: RIO_ID,
  consent: CONSENT,
};

page.setUpEachTest();

test("in a frame the receipt stays open and has a link for the next person", async () => {
  await page.open(WAIVER, EMBED_PATH);
  await page.sign();
  await page.advance(10_000);

  expect(page.heading("Waiver signed")).toBeVisible();
  expect(page.leave).not.toHaveBeenCalled();
  expect(screen.queryByRole("link", { name: "Done" })).toBeNull();
  expect(screen.getByRole("link", { name: "Next person to sign" })).toHaveAttribute("href", location.href);
});

test("in a frame the company session on this device is not used", async () => {
  const session = { access_token: "rosa", refresh_token: "once", expires_at: 9_999_999_999 };
  localStorage.setItem("sb-cairn-auth-token", JSON.stringify(session));
  page.server.company = { id: RIO_ID, name: "Rio Rafting" };

  await page.open(WAIVER, EMBED_PATH);
  await page.sign();

  expect(page.server.signedWaivers.size).toBe(1);
  expect(new Set(page.server.tokens)).toEqual(new Set(["anon"]));
  expect(hasStoredSession()).toBe(false);
});

const throwSecurityError = () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

test("signing works in a frame without access to storage", async () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(throwSecurityError);
  vi.spyOn(window, "sessionStorage", "get").mockImplementation(throwSecurityError);

  await page.open(WAIVER, EMBED_PATH);
  await page.sign();

  expect(page.heading("Waiver signed")).toBeVisible();
});

test("a message in a frame does not take the focus from the website around it", async () => {
  const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
  await page.open({ kind: "missing", what: "template" }, EMBED_PATH);
  expect(document.body).toHaveFocus();
  cleanup();

  hasFocus.mockReturnValue(true);
  await page.open(WAIVER, EMBED_PATH);
  await page.sign();
  expect(page.heading("Waiver signed")).toHaveFocus();
});

test("in a frame, Try again reloads the whole page", async () => {
  await page.open({ kind: "unavailable" }, EMBED_PATH);

  expect(screen.getByText("Failed to load waiver data.")).toBeVisible();
  expect(page.server.requests).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(page.leave).toHaveBeenCalledOnce();
});

test("the QR code opens the page outside of the frame", async () => {
  await page.open(WAIVER, EMBED_PATH);

  expect(screen.getByAltText("QR code that opens this waiver")).toHaveAttribute(
    "src",
    `/waivers/sign/tpl-river/qr.svg?company=${RIO_ID}`,
  );
});
