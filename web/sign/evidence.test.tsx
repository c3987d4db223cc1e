import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { trackDownloads } from "../testing/downloads";
import * as page from "./page.testing";
import { scrollDepth } from "./view-evidence";
import { CONSENT, SESSION } from "./fake-server.testing";

page.setUpEachTest();

const downloadButton = () => screen.getByRole("button", { name: "Download your copy" });

describe("the evidence", () => {
  test("contains the consent, the time zone, the strokes and when the text was on screen", async () => {
    await page.openSession();
    await page.advance(5000);
    await page.sign();

    expect([...page.server.signedWaivers.values()][0]).toMatchObject({
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

  test("opening a session is reported to the server, and opening a template is not", async () => {
    // The page itself has this attribute; the test renders only its content.
    document.documentElement.lang = "en";
    const { unmount } = await page.openSession();
    expect(page.server.views).toEqual([{ session_id: SESSION.id, language: "en" }]);
    unmount();

    await page.openTemplate();
    expect(page.server.views).toHaveLength(1);
  });

  test("a page without an inlined waiver loads the consent text and shows it", async () => {
    await page.open({ kind: "unavailable" });

    expect(screen.getByRole("checkbox", { name: CONSENT.text })).not.toBeChecked();
  });

  test("the consent checkbox is cleared when the waiver text has changed", async () => {
    await page.openTemplate();
    page.server.templates.set("tpl-river", {
      ...page.server.templates.get("tpl-river"),
      content: "New words.",
    });
    await page.sign();
    expect(screen.getByRole("checkbox")).not.toBeChecked();

    await page.sign();
    expect(page.heading("Waiver signed")).toBeVisible();
  });

  test.each([
    [{ top: 800, height: 400 }, 0],
    [{ top: 568, height: 400 }, 50],
    [{ top: -900, height: 1000 }, 100],
    [{ top: 0, height: 0 }, 0],
  ])("a text with the box %o has the scroll depth %i", (box, expected) => {
    vi.stubGlobal("innerHeight", 768);

    expect(scrollDepth(box)).toBe(expected);
  });
});

describe("the receipt", () => {
  test("waits until the sealed document is ready and then downloads it", async () => {
    const fileNames = trackDownloads();
    page.server.preparingCount = 2;
    await page.openSession();
    await page.sign();

    fireEvent.click(downloadButton());
    await page.advance();
    expect(screen.getByText("Your document is being prepared...")).toBeVisible();
    await page.advance(5000);

    expect(screen.getByText("Your copy is in your downloads.")).toBeVisible();
    expect(fileNames).toEqual(["River day.pdf"]);
    expect(page.leave).not.toHaveBeenCalled();
    expect(screen.getByRole("link", { name: "Done" })).toHaveAttribute("href", "/");
  });

  test("shows the server's message about the emailed copy", async () => {
    page.server.emailMessage = "Your copy was sent to gil@example.com.";
    await page.openSession();
    await page.sign();
    const emailButton = screen.getByRole("button", { name: "Email me a copy" });

    fireEvent.click(emailButton);
    await page.advance();
    expect(screen.getByRole("status")).toHaveTextContent("Your copy was sent to gil@example.com.");
    page.server.isDown = true;
    fireEvent.click(emailButton);
    await page.advance(5000);

    expect(screen.getByRole("status")).toHaveTextContent(
      "We could not find out whether your copy was sent. Your signature is safe",
    );
    expect(page.leave).not.toHaveBeenCalled();
  });

  test("stays open when a button has the keyboard focus", async () => {
    await page.openSession();
    await page.sign();

    fireEvent.focus(downloadButton());
    await page.advance(10_000);

    expect(page.leave).not.toHaveBeenCalled();
  });

  test("shows that the document takes too long or cannot be fetched, and that the signature is safe", async () => {
    page.server.preparingCount = 100;
    await page.openSession();
    await page.sign();
    fireEvent.click(downloadButton());
    await page.advance(60_000);
    expect(screen.getByText(/still being prepared. Your signature is safe/)).toBeVisible();

    page.server.isTextTooLong = true;
    fireEvent.click(downloadButton());
    await page.advance();
    expect(screen.getByText(/Your signature is safe, but this text is too long for a PDF/)).toBeVisible();

    page.server.isDown = true;
    fireEvent.click(downloadButton());
    await page.advance();
    expect(screen.getByText(/could not be fetched. Your signature is safe/)).toBeVisible();
  });
});
