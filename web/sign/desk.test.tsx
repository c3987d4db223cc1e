import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stubCanvas } from "../testing/canvas";
import { heading, leave, openSession, openTemplate, sign } from "./page.testing";
import { DataService, SESSION } from "./service.testing";

const RIO = { id: "c0ffee00-0000-4000-8000-000000000000", name: "Rio Rafting" };
const signIn = (expires_at: number) =>
  localStorage.setItem(
    "sb-cairn-auth-token",
    JSON.stringify({ access_token: "rosa", refresh_token: "once", expires_at }),
  );

let service: DataService;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-07-01T10:00:00Z") });
  stubCanvas();
  service = new DataService();
  service.company = RIO;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  leave.mockReset();
});

const lastToken = () => service.tokens.at(-2);

describe("at the company's own desk", () => {
  test("a bare link to a sample belongs to the company that is signed in, and names it", async () => {
    signIn(9_999_999_999);
    await openTemplate();
    expect(screen.getByRole("region", { name: "Waiver text" })).toHaveTextContent("join Rio Rafting.");
    await sign();

    const [stored] = service.signed.values();
    expect(service.sessions.get(String(stored?.session_id))).toMatchObject({ company_id: RIO.id });
    expect(lastToken()).toBe("rosa");
  });

  test("a session that ran out is renewed first", async () => {
    signIn(1);
    await openTemplate();
    await sign();

    expect(lastToken()).toBe("renewed");
    expect(localStorage.getItem("sb-cairn-auth-token")).toContain("renewed");
  });

  test("somebody else's waiver is signed as by anybody", async () => {
    signIn(9_999_999_999);
    await openSession({ company_id: "another" });
    await sign();

    expect(heading("Waiver signed")).toBeVisible();
    expect(lastToken()).toBe("anon");
  });

  test("a session that is refused stands in nobody's way", async () => {
    signIn(9_999_999_999);
    await openSession({ company_id: RIO.id });
    service.refusedTokens = ["rosa"];
    await sign();

    expect(heading("Waiver signed")).toBeVisible();
    expect(service.signed.size).toBe(1);
  });

  test("a guest's account owns nothing", async () => {
    service.company = undefined;
    signIn(9_999_999_999);
    await openTemplate();
    await sign();

    const [stored] = service.signed.values();
    expect(service.sessions.get(String(stored?.session_id))).not.toHaveProperty("company_id");
    expect(SESSION.id).not.toBe(stored?.session_id);
  });
});
