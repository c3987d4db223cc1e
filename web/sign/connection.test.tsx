import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import {
  advance,
  fillIn,
  heading,
  openSession,
  openTemplate,
  service,
  setUpEachTest,
  sign,
} from "./page.testing";

setUpEachTest();

describe("with a bad connection", () => {
  test("the signature is kept, with a notice, and is sent once when the network is back", async () => {
    await openSession();
    service.isDown = true;
    await sign();
    expect(heading("No connection")).toBeVisible();
    expect(screen.getByLabelText("Your Name")).toBeDisabled();

    service.isDown = false;
    fireEvent(window, new Event("online"));
    await advance();

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
  });

  test("a lost response does not create a second waiver", async () => {
    await openTemplate();
    service.losesResponses = true;
    await sign();
    await advance(2000);
    service.losesResponses = false;
    await advance(4000);

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
    expect(service.sessions.size).toBe(2);
  });

  test("a reload neither loses nor duplicates the signature", async () => {
    const { unmount } = await openSession();
    service.losesResponses = true;
    await sign({ name: "Gil García" });
    unmount();
    service.losesResponses = false;

    await openSession();

    expect(heading("Waiver signed")).toBeVisible();
    expect([...service.signed.values()].map((row) => row.signer_name)).toEqual(["Gil García"]);
    expect(sessionStorage).toHaveLength(0);
  });

  test("a retry of the same signature creates the same waiver, even after a server error", async () => {
    const { unmount } = await openSession();
    service.losesResponses = true;
    await sign();
    unmount();
    service.losesResponses = false;
    service.fails = true;
    await openSession();
    expect(screen.getByRole("alert")).toHaveTextContent("Failed to store signed waiver: oh no");

    service.fails = false;
    await sign();

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
  });

  test("a request to an overloaded server is retried", async () => {
    await openSession();
    service.errors["POST signed_waivers"] = { status: 503, body: {} };
    await sign();
    service.errors = {};
    fireEvent.click(screen.getByRole("button", { name: "Try now" }));
    await advance();

    expect(service.signed.size).toBe(1);
  });

  test("the page of a captive portal is not taken for a response of the server", async () => {
    await openSession();
    service.isCaptivePortal = true;
    await sign();
    expect(heading("No connection")).toBeVisible();
    expect(service.signed.size).toBe(0);

    service.isCaptivePortal = false;
    await advance(2000);

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
  });

  test("typed text survives a reload", async () => {
    const { unmount } = await openSession();
    fillIn("Your Name", "Gil García");
    unmount();

    await openSession();

    expect(screen.getByLabelText("Your Name")).toHaveValue("Gil García");
  });

  test("a shared tablet does not show the name of the previous guest", async () => {
    const { unmount } = await openTemplate();
    await sign({ name: "Gil García" });
    unmount();

    await openTemplate();

    expect(screen.getByLabelText("Your Name")).toHaveValue("");
  });
});
