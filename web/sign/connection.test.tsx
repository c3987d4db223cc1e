import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stubCanvas } from "../testing/canvas";
import { fillIn, heading, leave, openSession, openTemplate, pass, sign } from "./page.testing";
import { DataService } from "./service.testing";

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

describe("a bad connection", () => {
  test("keeps the signature, says so, and sends it once when the network is back", async () => {
    await openSession();
    service.isDown = true;
    await sign();
    expect(heading("No connection")).toBeVisible();
    expect(screen.getByLabelText("Your Name")).toBeDisabled();

    service.isDown = false;
    fireEvent(window, new Event("online"));
    await pass();

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
  });

  test("an answer lost on the way does not make two waivers", async () => {
    await openTemplate();
    service.losesAnswers = true;
    await sign();
    await pass(2000);
    service.losesAnswers = false;
    await pass(4000);

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
    expect(service.sessions.size).toBe(2);
  });

  test("a reload in between loses nothing and doubles nothing", async () => {
    const { unmount } = await openSession();
    service.losesAnswers = true;
    await sign({ name: "Gil García" });
    unmount();
    service.losesAnswers = false;

    await openSession();

    expect(heading("Waiver signed")).toBeVisible();
    expect([...service.signed.values()].map((row) => row.signer_name)).toEqual(["Gil García"]);
    expect(sessionStorage).toHaveLength(0);
  });

  test("the same signature tried again is the same waiver, even after an answer that explained nothing", async () => {
    const { unmount } = await openSession();
    service.losesAnswers = true;
    await sign();
    unmount();
    service.losesAnswers = false;
    service.stumbles = true;
    await openSession();
    expect(screen.getByRole("alert")).toHaveTextContent("Failed to store signed waiver: oh no");

    service.stumbles = false;
    await sign();

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
  });

  test("a busy server is asked again", async () => {
    await openSession();
    service.refuses["POST signed_waivers"] = { status: 503, body: {} };
    await sign();
    service.refuses = {};
    fireEvent.click(screen.getByRole("button", { name: "Try now" }));
    await pass();

    expect(service.signed.size).toBe(1);
  });

  test("what somebody on the way answers is not taken for the server's word", async () => {
    await openSession();
    service.isAPortal = true;
    await sign();
    expect(heading("No connection")).toBeVisible();
    expect(service.signed.size).toBe(0);

    service.isAPortal = false;
    await pass(2000);

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
  });

  test("what was typed survives a reload", async () => {
    const { unmount } = await openSession();
    fillIn("Your Name", "Gil García");
    unmount();

    await openSession();

    expect(screen.getByLabelText("Your Name")).toHaveValue("Gil García");
  });

  test("a tablet handed on shows nothing of the last guest", async () => {
    const { unmount } = await openTemplate();
    await sign({ name: "Gil García" });
    unmount();

    await openTemplate();

    expect(screen.getByLabelText("Your Name")).toHaveValue("");
  });
});
