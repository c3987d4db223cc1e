import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stubCanvas } from "../testing/canvas";
import { trackDownloads } from "../testing/downloads";
import { heading, leave, open, openSession, openTemplate, pass, sign } from "./page.testing";
import { depth } from "./reading";
import { CONSENT, DataService, SESSION } from "./service.testing";

let service: DataService;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-07-01T10:00:00Z") });
  stubCanvas();
  service = new DataService();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  leave.mockReset();
});

const copy = () => screen.getByRole("button", { name: "Download your copy" });

describe("beside the signature", () => {
  test("goes what was agreed to, when, where, and when the words were on screen", async () => {
    await openSession();
    await pass(5000);
    await sign();

    expect([...service.signed.values()][0]).toMatchObject({
      consent_version: CONSENT.version,
      consent_language: CONSENT.language,
      consented_at: "2026-07-01T10:00:05.000Z",
      time_zone: "UTC",
      strokes: { typed: "Gil" },
      first_viewed_at: "2026-07-01T10:00:00.000Z",
      last_viewed_at: "2026-07-01T10:00:05.000Z",
      scroll_depth: 0,
    });
  });

  test("the service is told that the session was opened; a template has none yet", async () => {
    const { unmount } = await openSession();
    expect(service.views).toEqual([{ session_id: SESSION.id }]);
    unmount();

    await openTemplate();
    expect(service.views).toHaveLength(1);
  });

  test("a page that had to load its waiver asks for the same agreement", async () => {
    await open({ kind: "unavailable" });

    expect(screen.getByRole("checkbox", { name: CONSENT.text })).not.toBeChecked();
  });

  test("the box is empty again when the words have changed", async () => {
    await openTemplate();
    service.templates.set("tpl-river", { ...service.templates.get("tpl-river"), content: "New words." });
    await sign();
    expect(screen.getByRole("checkbox")).not.toBeChecked();

    await sign();
    expect(heading("Waiver signed")).toBeVisible();
  });

  test.each([
    [{ top: 800, height: 400 }, 0],
    [{ top: 568, height: 400 }, 50],
    [{ top: -900, height: 1000 }, 100],
    [{ top: 0, height: 0 }, 0],
  ])("scroll depth of %o is %i", (box, expected) => {
    vi.stubGlobal("innerHeight", 768);

    expect(depth(box)).toBe(expected);
  });
});

describe("the receipt", () => {
  test("hands out the sealed document as soon as it is there, and stays for it", async () => {
    const saved = trackDownloads();
    service.preparing = 2;
    await openSession();
    await sign();

    fireEvent.click(copy());
    await pass();
    expect(screen.getByText("Your document is being prepared...")).toBeVisible();
    await pass(5000);

    expect(screen.getByText("Your copy is in your downloads.")).toBeVisible();
    expect(saved).toEqual(["River day.pdf"]);
    expect(leave).not.toHaveBeenCalled();
    expect(screen.getByRole("link", { name: "Done" })).toHaveAttribute("href", "/");
  });

  test("tells what became of the mailed copy in the service's own words", async () => {
    service.copySays = "Your copy was sent to gil@example.com.";
    await openSession();
    await sign();
    const email = screen.getByRole("button", { name: "Email me a copy" });

    fireEvent.click(email);
    await pass();
    expect(screen.getByRole("status")).toHaveTextContent("Your copy was sent to gil@example.com.");
    service.isDown = true;
    fireEvent.click(email);
    await pass(5000);

    expect(screen.getByRole("status")).toHaveTextContent(
      "This could not be found out. Your signature is safe",
    );
    expect(leave).not.toHaveBeenCalled();
  });

  test("does not leave someone who has reached the button by keyboard", async () => {
    await openSession();
    await sign();

    fireEvent.focus(copy());
    await pass(10_000);

    expect(leave).not.toHaveBeenCalled();
  });

  test("says when the document takes too long or cannot be fetched, and that the signature is safe", async () => {
    service.preparing = 100;
    await openSession();
    await sign();
    fireEvent.click(copy());
    await pass(60_000);
    expect(screen.getByText(/still being prepared. Your signature is safe/)).toBeVisible();

    service.isDown = true;
    fireEvent.click(copy());
    await pass();
    expect(screen.getByText(/could not be fetched. Your signature is safe/)).toBeVisible();
  });
});
