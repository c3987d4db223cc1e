import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stubCanvas } from "../testing/canvas";
import { fillIn, heading, leave, open, openSession, pass, sign } from "./page.testing";
import { DataService, SESSION } from "./service.testing";

let service: DataService;
beforeEach(() => {
  vi.useFakeTimers();
  stubCanvas();
  service = new DataService();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  leave.mockReset();
});

describe("the page", () => {
  test("SIGN-01 SIGN-02 shows what is to be signed, by whom, and the first 8 characters of the session", async () => {
    await openSession();

    expect(heading("River day")).toBeVisible();
    expect(screen.getByText("Half a day on the water")).toBeVisible();
    expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
    expect(screen.getByLabelText("Your Email")).toHaveValue("gil@example.com");
    expect(screen.getByRole("region", { name: "Waiver text" })).toHaveTextContent(
      "I, Gil Guest, join Rio Rafting.",
    );
    expect(screen.getByRole("img", { name: /^Signature pad/ })).toBeVisible();
    expect(screen.getByRole("button", { name: "Sign Waiver" })).toBeVisible();
    expect(screen.getByText("Session 3f2a9c1e")).toBeVisible();
    expect(service.requests).toEqual([]);
  });

  test("SIGN-12 fills the name in as it is typed", async () => {
    await openSession();
    const text = screen.getByRole("region", { name: "Waiver text" });

    fillIn("Your Name", "");
    expect(text).toHaveTextContent("I, [YOUR NAME], join");
    fillIn("Your Name", "Ana");
    expect(text).toHaveTextContent("I, Ana, join");
  });

  test("SIGN-05 says that a waiver is already signed, and lets it be signed again", async () => {
    await openSession({ status: "signed" });
    expect(heading("Waiver Already Signed")).toBeVisible();

    await sign();

    expect(heading("Waiver signed")).toBeVisible();
  });

  test("SIGN-21 says that a waiver has expired, and offers no button", async () => {
    await openSession({ expires_at: "2020-01-01T00:00:00+00:00" });

    expect(screen.getByText(/This waiver has expired/)).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("when nothing is there", () => {
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
  ])("SIGN-04 %s says so", async (_, found, title, text) => {
    await open(found);

    expect(screen.getByRole("heading", { level: 1, name: "Waiver Not Found" })).toHaveFocus();
    expect(screen.getByText("The requested waiver could not be found.")).toBeVisible();
    expect(screen.getByRole("alert")).toHaveTextContent(`${title}${text}`);
  });
});

describe("a page served without its waiver", () => {
  test("SIGN-03 says that it is loading, then shows the session", async () => {
    const opening = open({ kind: "unavailable" });
    expect(screen.getByText("Loading waiver...")).toBeVisible();

    await opening;

    expect(screen.getByText("Session 3f2a9c1e")).toBeVisible();
  });

  test("SIGN-03 loads a template as well", async () => {
    await open({ kind: "unavailable" }, "/waivers/sign/tpl-river");

    expect(heading("River day")).toBeVisible();
  });

  test("SIGN-04 finds out that there is none", async () => {
    await open({ kind: "unavailable" }, "/waivers/sign/session/00000000-0000-4000-8000-000000000000");

    expect(screen.getByRole("alert")).toHaveTextContent("Session Not Found");
  });

  test("ERR-21 says that loading failed, and tries again when asked", async () => {
    service.isDown = true;
    await open({ kind: "unavailable" });
    expect(screen.getByRole("alert")).toHaveTextContent("Failed to load waiver data.");

    service.isDown = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await pass();

    expect(heading("River day")).toBeVisible();
  });
});
