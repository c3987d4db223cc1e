import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PICTURE, stubCanvas } from "../testing/canvas";
import { heading, leave, open, openSession, openTemplate, pass, sign } from "./page.testing";
import { DataService, SESSION, TEMPLATE } from "./service.testing";

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

describe("signing", () => {
  test("SIGN-17 stores the waiver, says so, and goes home after 2 seconds", async () => {
    await openSession();
    await sign({ name: " Gil Guest " });

    const [stored] = service.signed.values();
    expect(stored).toMatchObject({
      session_id: SESSION.id,
      template_id: "tpl-river",
      template_name: "River day",
      signer_name: "Gil Guest",
      signer_email: "gil@example.com",
      signature: PICTURE,
      content: "# Risk\n\nI, Gil Guest, join Rio Rafting.",
    });
    expect(heading("Waiver signed")).toHaveFocus();
    await pass(1900);
    expect(leave).not.toHaveBeenCalled();
    await pass(100);
    expect(leave).toHaveBeenCalledOnce();
  });

  test("SIGN-07 sends nothing while something is missing", async () => {
    await openSession();
    await sign({ typed: " " });

    expect(screen.getByRole("alert")).toHaveTextContent("Name, email and signature are required.");
    expect(service.requests).toEqual([]);
  });

  test("SIGN-18 a template gets a session of the signer's own, opened when they sign", async () => {
    await openTemplate("c0ffee00-0000-4000-8000-000000000000");
    expect(service.requests).toEqual([]);
    await sign();

    const [stored] = service.signed.values();
    expect(stored?.session_id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(service.sessions.get(String(stored?.session_id))).toMatchObject({
      template_id: "tpl-river",
      company_id: "c0ffee00-0000-4000-8000-000000000000",
    });
  });

  test("SIGN-18 the template's own session is left as it is", async () => {
    await openSession({ status: "template_default" });
    await sign();

    expect([...service.signed.values()][0]?.session_id).not.toBe(SESSION.id);
  });

  test("nobody signs words that changed behind their back", async () => {
    await openTemplate();
    service.templates.set(TEMPLATE.id, { ...TEMPLATE, content: "I, [PARTICIPANT NAME], pay for the boat." });
    await sign();

    expect(service.signed.size).toBe(0);
    expect(screen.getByRole("alert")).toHaveTextContent(/has changed since you opened it/);
    expect(screen.getByRole("region", { name: "Waiver text" })).toHaveTextContent(
      "I, Gil Guest, pay for the boat.",
    );

    await sign();
    expect([...service.signed.values()][0]?.content).toBe("I, Gil Guest, pay for the boat.");
  });

  test.each([
    [
      "ERR-17",
      "POST signed_waivers",
      400,
      "PT400",
      "The signature is too large.",
      "Failed to store signed waiver: The signature is too large.",
    ],
    [
      "ERR-12",
      "POST signed_waivers",
      404,
      "PT404",
      "Could not find the waiver session.",
      "Could not find the waiver session.",
    ],
    ["ERR-15", "POST waiver_sessions", 404, "PT404", "x", "Failed to create waiver session."],
  ])(
    "%s a refusal is said and everything stays in the form",
    async (_, request, status, code, message, said) => {
      service.refuses[request] = { status, body: { code, message } };
      await openTemplate();
      await sign();

      expect(screen.getByRole("alert")).toHaveTextContent(said);
      expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
      expect(screen.getByLabelText("Type your name as your signature")).toHaveValue("Gil");
    },
  );

  test("ERR-16 a fault of our own is said too", async () => {
    await open({ kind: "session", session: SESSION }, undefined, () => Promise.reject(new Error("broken")));
    await sign();

    expect(screen.getByRole("alert")).toHaveTextContent("An unexpected error occurred. Please try again.");
  });

  test.each(["POST waiver_sessions", "POST signed_waivers"])(
    "ERR-16 an answer to %s that names something else is no yes",
    async (request) => {
      service.refuses[request] = { status: 201, body: { blocked: true } };
      await openTemplate();
      await sign();

      expect(screen.getByRole("alert")).toHaveTextContent("An unexpected error occurred. Please try again.");
    },
  );

  test("SIGN-21 a waiver that expires while it is read cannot be signed", async () => {
    service.refuses["POST signed_waivers"] = {
      status: 410,
      body: { code: "PT410", message: "This waiver has expired." },
    };
    await openSession();
    await sign();

    expect(screen.getByText(/This waiver has expired/)).toBeVisible();
  });

  test("ERR-26 warns when the session, read back, is not signed", async () => {
    service.refuses["GET waiver_sessions"] = { status: 200, body: { status: "pending" } };
    await openSession();
    await sign();

    expect(screen.getByRole("alert")).toHaveTextContent(
      "Warning: Waiver was signed but we couldn't update the session record.",
    );
    await pass(5000);
    expect(leave).not.toHaveBeenCalled();
  });
});
