import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import * as page from "./page.testing";
import { SESSION } from "./fake-server.testing";

page.setUpEachTest();

describe("the page", () => {
  test("SIGN-01 SIGN-02 shows the waiver, the recipient and the first 8 characters of the session id", async () => {
    await page.openSession();

    expect(page.heading("River day")).toBeVisible();
    expect(screen.getByText("Half a day on the water")).toBeVisible();
    expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
    expect(screen.getByLabelText("Your Email")).toHaveValue("gil@example.com");
    expect(page.waiverText()).toHaveTextContent(/I, Gil Guest, join Rio Rafting\..*Session 3f2a9c1e$/);
    expect(screen.getByRole("img", { name: /^Signature pad/ })).toBeVisible();
    expect(screen.getByRole("button", { name: "Sign Waiver" })).toBeVisible();
    expect(screen.getByText("Session 3f2a9c1e")).toBeVisible();
    expect(page.server.requests).toEqual([]);
  });

  test("SIGN-12 fills the name into the text while it is typed", async () => {
    await page.openSession();
    const text = page.waiverText();

    page.fillIn("Your Name", "");
    expect(text).toHaveTextContent("I, [YOUR NAME], join");
    page.fillIn("Your Name", "Ana");
    expect(text).toHaveTextContent("I, Ana, join");
  });

  test("SIGN-05 says that a waiver is already signed, and allows signing again", async () => {
    await page.openSession({ status: "signed" });
    expect(page.heading("Waiver Already Signed")).toBeVisible();

    await page.sign();

    expect(page.heading("Waiver signed")).toBeVisible();
  });

  test("SIGN-21 shows that a waiver has expired, without a button to sign", async () => {
    await page.openSession({ expires_at: "2020-01-01T00:00:00+00:00" });

    expect(screen.getByText(/This waiver has expired/)).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

test("a cancelled waiver says so, in place of the text and the button to sign", async () => {
  await page.openSession({ status: "cancelled" });

  expect(page.heading("Waiver Cancelled")).toBeVisible();
  expect(
    screen.getByText(/This waiver was cancelled.*Please ask Rio Rafting for a new link if/),
  ).toBeVisible();
  expect(screen.queryByRole("button", { name: "Sign Waiver" })).toBeNull();
});

test("SIGN-21 a signed waiver that has expired cannot be signed again", async () => {
  await page.openSession({ status: "signed", expires_at: "2020-01-01T00:00:00+00:00" });

  expect(page.heading("Waiver Already Signed")).toBeVisible();
  expect(screen.getByText(/can no longer be signed again/)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

describe("without a waiver", () => {
  test.each([
    [
      "ERR-18",
      { kind: "missing", what: "session" },
      "Session Not Found",
      "The requested waiver session could not be found.",
    ],
    [
      "ERR-20",
      { kind: "missing", what: "template" },
      "Waiver Not Found",
      "The requested waiver template could not be found.",
    ],
    [
      "ERR-19",
      { kind: "session", session: { ...SESSION, template_content: null } },
      "Waiver Template Not Found",
      "The waiver template for this session could not be found.",
    ],
  ])("SIGN-04 %s shows what is missing", async (_, inlined, title, text) => {
    await page.open(inlined);

    expect(screen.getByRole("heading", { level: 1, name: "Waiver Not Found" })).toHaveFocus();
    expect(screen.getByText("The requested waiver could not be found.")).toBeVisible();
    expect(screen.getByRole("alert")).toHaveTextContent(`${title}${text}`);
  });
});

describe("a page without an inlined waiver", () => {
  test("SIGN-03 shows that it is loading, then the session", async () => {
    const opening = page.open({ kind: "unavailable" });
    expect(screen.getByText("Loading waiver...")).toBeVisible();

    await opening;

    expect(screen.getByText("Session 3f2a9c1e")).toBeVisible();
  });

  test("SIGN-03 loads a template", async () => {
    await page.open({ kind: "unavailable" }, "/waivers/sign/tpl-river");

    expect(page.heading("River day")).toBeVisible();
  });

  test("SIGN-04 shows that the session does not exist", async () => {
    await page.open({ kind: "unavailable" }, "/waivers/sign/session/00000000-0000-4000-8000-000000000000");

    expect(screen.getByRole("alert")).toHaveTextContent("Session Not Found");
  });

  test("ERR-21 shows that loading failed, and loads again when the guest clicks the button", async () => {
    page.server.isDown = true;
    await page.open({ kind: "unavailable" });
    expect(screen.getByRole("alert")).toHaveTextContent("Failed to load waiver data.");

    page.server.isDown = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await page.advance();

    expect(page.heading("River day")).toBeVisible();
  });
});
