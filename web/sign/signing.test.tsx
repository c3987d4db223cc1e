import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { PICTURE } from "../testing/canvas";
import * as page from "./page.testing";
import { SESSION, TEMPLATE } from "./fake-server.testing";

page.setUpEachTest();

/** Makes the server refuse a request, as the database does. */
function refuse(request: string, status: number, code: string, refusal: string) {
  const details = `{"code": "${refusal}", "parameters": {}}`;
  page.server.fixedResponses[request] = { status, body: { code, message: "x", details } };
}

describe("signing", () => {
  test("SIGN-17 stores the waiver, confirms it, and opens the front page after 2 seconds", async () => {
    await page.openSession();
    await page.sign({ name: " Gil Guest " });

    const [signedRow] = page.server.signedWaivers.values();
    expect(signedRow).toMatchObject({
      session_id: SESSION.id,
      template_id: "tpl-river",
      template_name: "River day",
      signer_name: "Gil Guest",
      signer_email: "gil@example.com",
      signature: PICTURE,
      content: "# Risk\n\nI, Gil Guest, join Rio Rafting.",
    });
    expect(page.heading("Waiver signed")).toHaveFocus();
    await page.advance(1900);
    expect(page.leave).not.toHaveBeenCalled();
    await page.advance(100);
    expect(page.leave).toHaveBeenCalledOnce();
  });

  test("each signature has a secret of its own, which is not the id of the waiver", async () => {
    await page.openSession();
    await page.sign();

    const [signedRow] = page.server.signedWaivers.values();
    expect(signedRow?.document_secret).toMatch(/^[0-9a-f-]{36}$/);
    expect(signedRow?.document_secret).not.toBe(signedRow?.id);
  });

  test("SIGN-07 sends nothing while a required field is empty", async () => {
    await page.openSession();
    await page.sign({ typedSignature: " " });

    expect(screen.getByRole("alert")).toHaveTextContent("Name, email and signature are required.");
    expect(page.server.requests).toEqual([]);
  });

  test("SIGN-18 signing a template creates a new session", async () => {
    await page.openTemplate("c0ffee00-0000-4000-8000-000000000000");
    expect(page.server.requests).toEqual([]);
    await page.sign();

    const [signedRow] = page.server.signedWaivers.values();
    expect(signedRow?.session_id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(page.server.sessions.get(String(signedRow?.session_id))).toMatchObject({
      template_id: "tpl-river",
      company_id: "c0ffee00-0000-4000-8000-000000000000",
    });
  });

  test("SIGN-18 the default session of the template stays unchanged", async () => {
    await page.openSession({ status: "template_default" });
    await page.sign();

    expect([...page.server.signedWaivers.values()][0]?.session_id).not.toBe(SESSION.id);
  });

  test("a waiver that was edited after the page was opened must be read and signed again", async () => {
    await page.openTemplate();
    page.server.templates.set(TEMPLATE.id, {
      ...TEMPLATE,
      content: "I, [PARTICIPANT NAME], pay for the boat.",
    });
    await page.sign();

    expect(page.server.signedWaivers.size).toBe(0);
    expect(screen.getByRole("alert")).toHaveTextContent(/has changed since you opened it/);
    expect(page.waiverText()).toHaveTextContent("I, Gil Guest, pay for the boat.");

    await page.sign();
    expect([...page.server.signedWaivers.values()][0]?.content).toBe("I, Gil Guest, pay for the boat.");
  });

  test.each([
    [
      "ERR-17",
      "POST signed_waivers",
      400,
      "PT400",
      "signature_too_large",
      "Failed to store signed waiver: The signature is too large.",
    ],
    [
      "ERR-12",
      "POST signed_waivers",
      404,
      "PT404",
      "session_not_found",
      "Could not find the waiver session.",
    ],
    [
      "ERR-15",
      "POST waiver_sessions",
      404,
      "PT404",
      "template_not_found",
      "Failed to create waiver session.",
    ],
  ])(
    "%s shows the error and keeps what the guest has entered",
    async (_, request, status, code, refusal, expected) => {
      refuse(request, status, code, refusal);
      await page.openTemplate();
      await page.sign();

      expect(screen.getByRole("alert")).toHaveTextContent(expected);
      expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
      expect(screen.getByLabelText("Type your name as your signature")).toHaveValue("Gil");
    },
  );

  test("ERR-16 an exception in the page shows an error", async () => {
    await page.open({ kind: "session", session: SESSION }, undefined, () =>
      Promise.reject(new Error("broken")),
    );
    await page.sign();

    expect(screen.getByRole("alert")).toHaveTextContent("An unexpected error occurred. Please try again.");
  });

  test.each(["POST waiver_sessions", "POST signed_waivers"])(
    "ERR-16 a response to %s that does not contain the id of the request is an error",
    async (request) => {
      page.server.fixedResponses[request] = { status: 201, body: { blocked: true } };
      await page.openTemplate();
      await page.sign();

      expect(screen.getByRole("alert")).toHaveTextContent("An unexpected error occurred. Please try again.");
    },
  );

  test("SIGN-21 a waiver that expires while the page is open cannot be signed", async () => {
    refuse("POST signed_waivers", 410, "PT410", "waiver_expired");
    await page.openSession();
    await page.sign();

    expect(screen.getByText(/This waiver has expired/)).toBeVisible();
  });

  test("a waiver that is cancelled while the page is open says so when the guest signs", async () => {
    refuse("POST signed_waivers", 410, "PT410", "waiver_cancelled");
    await page.openSession();
    await page.sign();

    expect(page.heading("Waiver Cancelled")).toBeVisible();
    expect(screen.getByText(/This waiver was cancelled/)).toBeVisible();
    expect(sessionStorage).toHaveLength(0);
  });

  test("ERR-26 warns when the session is not marked as signed", async () => {
    page.server.fixedResponses["GET waiver_sessions"] = { status: 200, body: { status: "pending" } };
    await page.openSession();
    await page.sign();

    expect(screen.getByRole("alert")).toHaveTextContent(
      "Warning: Waiver was signed but we couldn't update the session record.",
    );
    await page.advance(5000);
    expect(page.leave).not.toHaveBeenCalled();
  });
});
