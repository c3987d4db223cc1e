import { expect, test } from "vitest";
import { captureRedirect, withoutRedirect, parseRedirect, takeRedirect } from "./auth-redirect";

const url = (path: string) => new URL(`https://cairn.example${path}`);

test.each([
  ["/dashboard", null],
  ["/dashboard#top", null],
  ["/dashboard?waiver=1", null],
  [
    "/forgot-password#access_token=a.b.c&refresh_token=r&expires_in=3600&sb=&token_type=bearer&type=recovery",
    { kind: "session", accessToken: "a.b.c", refreshToken: "r", type: "recovery" },
  ],
  ["/dashboard?code=123", { kind: "code", code: "123" }],
  [
    "/dashboard#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid&sb=",
    { kind: "error", code: "otp_expired" },
  ],
  [
    "/dashboard?error=access_denied&error_code=x&error_description=No#error=access_denied&error_code=x&error_description=No",
    { kind: "error", code: "x" },
  ],
  ["/#message=Confirm+the+other+one&sb=", { kind: "half-confirmed" }],
])("%s is parsed as %o", (path, redirect) => {
  expect(parseRedirect(url(path))).toEqual(redirect);
});

test("the redirect is removed from the URL, and the other parameters stay", () => {
  expect(withoutRedirect(url("/dashboard/waiver-management?waiver=1&code=2#sb="))).toBe(
    "/dashboard/waiver-management?waiver=1",
  );
  window.history.replaceState(null, "", "/dashboard#access_token=secret&refresh_token=r&sb=");

  captureRedirect();

  expect(window.location.href).not.toContain("secret");
  expect(window.location.pathname).toBe("/dashboard");
  expect(takeRedirect()).toMatchObject({ kind: "session", accessToken: "secret" });
  expect(takeRedirect()).toBeNull();
});
