import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { show } from "~/../testing/show";
import { NotFoundPage } from "./not-found-page";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// The time advances second by second, because the page has to render before the next second is counted.
async function advanceSeconds(seconds: number) {
  for (let second = 0; second < seconds; second++) await act(() => vi.advanceTimersByTimeAsync(1000));
}
const countdown = () => screen.getByText(/^Redirecting/).textContent;

test("NOTFOUND-01 NOTFOUND-02 NOTFOUND-13 an ordinary path shows 404 and does not redirect", async () => {
  const router = show(<NotFoundPage />, "/nope");

  expect(screen.getByText("404")).toBeVisible();
  expect(screen.getByText("Oops! Page not found")).toBeVisible();
  expect(screen.getByText(/email.* may still be processing/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Return to Home" })).toHaveAttribute("href", "/");
  expect(screen.getByRole("link", { name: "Go to Dashboard" })).toHaveAttribute("href", "/dashboard");
  expect(screen.queryByText(/Redirecting/)).toBeNull();
  await advanceSeconds(20);
  expect(router.state.location.pathname).toBe("/nope");
});

test("NOTFOUND-06 NOTFOUND-08 NOTFOUND-11 after an email was sent, the page counts from 5 to 1 and redirects to the sent waivers", async () => {
  const router = show(<NotFoundPage />, "/dashboard/sent-waivers");

  expect(screen.getByText("Email Sent")).toBeVisible();
  expect(screen.getByText("Your email has been sent successfully!")).toBeVisible();
  expect(screen.getByText("The waiver is being delivered to the recipient.")).toBeVisible();
  for (const seconds of [5, 4, 3, 2, 1]) {
    expect(countdown()).toBe(`Redirecting to sent waivers in ${seconds} seconds...`);
    expect(router.state.location.pathname).toBe("/dashboard/sent-waivers");
    await advanceSeconds(1);
  }
  expect(router.state.location.pathname).toBe("/sent-waivers");
});

test("NOTFOUND-07 TPL-21 after an email failed, the page shows the reason, counts down and redirects", async () => {
  const state = { email: { result: "failed", reason: "The mail server refused it." } };
  const router = show(<NotFoundPage />, { pathname: "/dashboard/sent-waivers", state });

  expect(screen.getByText("Email Not Sent")).toBeVisible();
  expect(screen.getByRole("status").querySelector("svg"), "no green for a failure").toHaveClass("text-red");
  expect(screen.getByText("The mail server refused it.")).toBeVisible();
  expect(screen.queryByText("Your email has been sent successfully!")).toBeNull();
  await advanceSeconds(5);
  expect(router.state.location.pathname).toBe("/sent-waivers");
});

test("NOTFOUND-12 leaving the page cancels the redirect", async () => {
  const router = show(<NotFoundPage />, "/dashboard/sent-waivers");
  await advanceSeconds(3);

  await act(() => router.navigate("/dashboard"));
  await advanceSeconds(10);

  expect(router.state.location.pathname).toBe("/dashboard");
});
