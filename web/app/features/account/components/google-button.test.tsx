import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { deferredResponse, serve } from "~/../testing/server";
import { show } from "~/../testing/show";
import { AuthForm } from "./auth-form";
import { GoogleButton } from "./google-button";

const googleEnabled = { "GET /auth/v1/settings": { body: { external: { google: true } } } };

async function signInFrom(mode: "signin" | "signup", role?: string): Promise<URL> {
  const { promise, resolve } = Promise.withResolvers<string>();
  show(
    <form>
      <input type="radio" name="role" value="company" defaultChecked aria-label="Company" />
      <input type="radio" name="role" value="customer" aria-label="Customer" />
      <GoogleButton mode={mode} navigate={resolve} />
    </form>,
  );
  if (role) await userEvent.click(screen.getByRole("radio", { name: role }));
  await userEvent.click(screen.getByRole("button", { name: "Continue with Google" }));
  return new URL(await promise);
}

test("AUTHUI-11 the button opens /auth/v1/authorize for Google, with a redirect to the dashboard of this origin", async () => {
  serve(googleEnabled);

  const url = await signInFrom("signin");

  expect(url.pathname).toBe("/auth/v1/authorize");
  expect(url.searchParams.get("provider")).toBe("google");
  expect(url.searchParams.get("redirect_to")).toBe(`${window.location.origin}/dashboard`);
  expect(url.searchParams.get("code_challenge")).toMatch(/^[\w-]{43,}$/);
  expect(url.searchParams.has("role")).toBe(false);
  expect(await screen.findByText("Redirecting to Google")).toBeVisible();
});

test("on sign-up the chosen role is part of the request", async () => {
  serve(googleEnabled);

  const url = await signInFrom("signup", "Customer");

  expect(url.searchParams.get("role")).toBe("customer");
});

test("ERR-03 AUTHUI-10 if Google is not set up the page explains it, and the button works again", async () => {
  const { wait, respond } = deferredResponse();
  serve({ "GET /auth/v1/settings": { body: { external: { google: false } }, wait } });
  show(<AuthForm initialMode="signin" />, "/signin");

  await userEvent.click(screen.getByRole("button", { name: "Continue with Google" }));
  expect(await screen.findByRole("button", { name: "Connecting to Google..." })).toBeDisabled();
  respond();

  expect(await screen.findByText("Google sign in failed")).toBeVisible();
  expect(screen.getByText(/is not set up here/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Continue with Google" })).toBeEnabled();
});

test("the button works again after coming back from Google", async () => {
  serve(googleEnabled);
  await signInFrom("signin");
  expect(screen.getByRole("button", { name: "Connecting to Google..." })).toBeDisabled();

  window.dispatchEvent(new Event("pageshow"));

  await waitFor(() => expect(screen.getByRole("button", { name: "Continue with Google" })).toBeEnabled());
});
