import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { trackDownloads } from "../testing/downloads";
import {
  advance,
  heading,
  leave,
  open,
  openSession,
  openTemplate,
  service,
  setUpEachTest,
  sign,
} from "./page.testing";
import { scrollDepth } from "./view-evidence";
import { CONSENT, SESSION } from "./service.testing";

setUpEachTest();

const copy = () => screen.getByRole("button", { name: "Download your copy" });

describe("the evidence", () => {
  test("contains the consent, the time zone, the strokes and when the text was on screen", async () => {
    await openSession();
    await advance(5000);
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

  test("opening a session is reported to the server; a template has no session yet", async () => {
    const { unmount } = await openSession();
    expect(service.views).toEqual([{ session_id: SESSION.id }]);
    unmount();

    await openTemplate();
    expect(service.views).toHaveLength(1);
  });

  test("a page that loads its waiver shows the same consent", async () => {
    await open({ kind: "unavailable" });

    expect(screen.getByRole("checkbox", { name: CONSENT.text })).not.toBeChecked();
  });

  test("the consent box is cleared when the text has changed", async () => {
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
  ])("the scroll depth of %o is %i", (box, expected) => {
    vi.stubGlobal("innerHeight", 768);

    expect(scrollDepth(box)).toBe(expected);
  });
});

describe("the receipt", () => {
  test("offers the sealed document as soon as it is ready, and waits for it", async () => {
    const saved = trackDownloads();
    service.preparingCount = 2;
    await openSession();
    await sign();

    fireEvent.click(copy());
    await advance();
    expect(screen.getByText("Your document is being prepared...")).toBeVisible();
    await advance(5000);

    expect(screen.getByText("Your copy is in your downloads.")).toBeVisible();
    expect(saved).toEqual(["River day.pdf"]);
    expect(leave).not.toHaveBeenCalled();
    expect(screen.getByRole("link", { name: "Done" })).toHaveAttribute("href", "/");
  });

  test("shows the server's message about the emailed copy", async () => {
    service.emailMessage = "Your copy was sent to gil@example.com.";
    await openSession();
    await sign();
    const email = screen.getByRole("button", { name: "Email me a copy" });

    fireEvent.click(email);
    await advance();
    expect(screen.getByRole("status")).toHaveTextContent("Your copy was sent to gil@example.com.");
    service.isDown = true;
    fireEvent.click(email);
    await advance(5000);

    expect(screen.getByRole("status")).toHaveTextContent(
      "This could not be found out. Your signature is safe",
    );
    expect(leave).not.toHaveBeenCalled();
  });

  test("stays open when a button has the keyboard focus", async () => {
    await openSession();
    await sign();

    fireEvent.focus(copy());
    await advance(10_000);

    expect(leave).not.toHaveBeenCalled();
  });

  test("shows that the document takes too long or cannot be fetched, and that the signature is safe", async () => {
    service.preparingCount = 100;
    await openSession();
    await sign();
    fireEvent.click(copy());
    await advance(60_000);
    expect(screen.getByText(/still being prepared. Your signature is safe/)).toBeVisible();

    service.isDown = true;
    fireEvent.click(copy());
    await advance();
    expect(screen.getByText(/could not be fetched. Your signature is safe/)).toBeVisible();
  });
});
