import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import * as page from "./page.testing";

page.setUpEachTest();

describe("with a bad connection", () => {
  test("a notice says that there is no connection, and the signature is sent once when the network is back", async () => {
    await page.openSession();
    page.server.isDown = true;
    await page.sign();
    expect(page.heading("No connection")).toBeVisible();
    expect(screen.getByLabelText("Your Name")).toBeDisabled();

    page.server.isDown = false;
    fireEvent(window, new Event("online"));
    await page.advance();

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(page.server.signedWaivers.size).toBe(1);
  });

  test("a lost response does not create a second waiver", async () => {
    await page.openTemplate();
    page.server.losesResponses = true;
    await page.sign();
    await page.advance(2000);
    page.server.losesResponses = false;
    await page.advance(4000);

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(page.server.signedWaivers.size).toBe(1);
    expect(page.server.sessions.size).toBe(2);
  });

  test("a reload neither loses nor duplicates the signature", async () => {
    const { unmount } = await page.openSession();
    page.server.losesResponses = true;
    await page.sign({ name: "Gil García" });
    unmount();
    page.server.losesResponses = false;

    await page.openSession();

    expect(page.heading("Waiver signed")).toBeVisible();
    expect([...page.server.signedWaivers.values()].map((row) => row.signer_name)).toEqual(["Gil García"]);
    expect(sessionStorage).toHaveLength(0);
  });

  test("signing again does not create a second waiver if the server had stored the first but returned an error", async () => {
    const { unmount } = await page.openSession();
    page.server.losesResponses = true;
    await page.sign();
    unmount();
    page.server.losesResponses = false;
    page.server.failsAfterStoring = true;
    // The page sends the signature again, because it got no response before the reload.
    await page.openSession();
    expect(screen.getByRole("alert")).toHaveTextContent("Failed to store signed waiver: oh no");

    page.server.failsAfterStoring = false;
    await page.sign();

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(page.server.signedWaivers.size).toBe(1);
  });

  test("a request to an overloaded server is retried", async () => {
    await page.openSession();
    page.server.fixedResponses["POST signed_waivers"] = { status: 503, body: {} };
    await page.sign();
    page.server.fixedResponses = {};
    fireEvent.click(screen.getByRole("button", { name: "Try now" }));
    await page.advance();

    expect(page.server.signedWaivers.size).toBe(1);
  });

  test("the page of a captive portal is not mistaken for a response of the server", async () => {
    await page.openSession();
    page.server.isCaptivePortal = true;
    await page.sign();
    expect(page.heading("No connection")).toBeVisible();
    expect(page.server.signedWaivers.size).toBe(0);

    page.server.isCaptivePortal = false;
    await page.advance(2000);

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(page.server.signedWaivers.size).toBe(1);
  });

  test("a response with another id is not taken for the confirmation of the signature", async () => {
    await page.openSession();
    page.server.fixedResponses["POST signed_waivers"] = { status: 201, body: { id: "another" } };
    await page.sign();

    expect(page.heading("Waiver signed")).toBeNull();
    expect(screen.getByRole("alert")).not.toBeEmptyDOMElement();
    expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
  });
});

describe("when the page is opened again", () => {
  test("typed text survives a reload", async () => {
    const { unmount } = await page.openSession();
    page.fillIn("Your Name", "Gil García");
    unmount();

    await page.openSession();

    expect(screen.getByLabelText("Your Name")).toHaveValue("Gil García");
  });

  test("a shared tablet does not show the name of the previous guest", async () => {
    const { unmount } = await page.openTemplate();
    await page.sign({ name: "Gil García" });
    unmount();

    await page.openTemplate();

    expect(screen.getByLabelText("Your Name")).toHaveValue("");
  });
});
