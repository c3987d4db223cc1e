import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/../testing/show";
import SignIn from "./sign-in";
import SignUp from "./sign-up";

test("AUTHUI-01 the sign-in page shows the welcome", () => {
  show(<SignIn />, "/signin");

  expect(screen.getByRole("heading", { name: "Welcome to Cairn" })).toBeVisible();
  expect(screen.getByText("Sign in to your account or create a new one")).toBeVisible();
  expect(screen.queryByLabelText("Full Name")).toBeNull();
});

test("AUTHUI-02 AUTHUI-03 the sign-up page shows the form in sign-up mode and mentions the free trial", () => {
  show(<SignUp />, "/signup");

  expect(screen.getByRole("heading", { name: "Get started with Cairn" })).toBeVisible();
  expect(screen.getByText("Create your account and start managing waivers today")).toBeVisible();
  expect(screen.getByText("Free 7-day trial • No credit card required")).toBeVisible();
  expect(screen.getByLabelText("Full Name")).toBeVisible();
});

test.each([
  ["sign-in", <SignIn key="in" />],
  ["sign-up", <SignUp key="up" />],
])(
  "AUTHUI-04 ROUTE-10 the %s page shows the Google button, OR, email and password in this order",
  (_, page) => {
    show(page);

    const elements = [
      screen.getByRole("button", { name: "Continue with Google" }),
      screen.getByText("OR"),
      screen.getByLabelText("Email"),
      screen.getByLabelText("Password"),
    ];
    for (const [index, element] of elements.slice(1).entries()) {
      const position = elements[index]?.compareDocumentPosition(element) ?? 0;
      expect(position & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    }
  },
);

test("a form submitted before its script is loaded does not put the password into the URL", () => {
  show(<SignIn />, "/signin");

  expect(screen.getByLabelText("Password").closest("form")).toHaveAttribute("method", "post");
});

test("AUTHUI-07 only the sign-in page links to the password recovery", async () => {
  const router = show(<SignIn />, "/signin");

  await userEvent.click(screen.getByRole("link", { name: "Forgot password?" }));

  expect(router.state.location.pathname).toBe("/forgot-password");
  cleanup();
  show(<SignUp />, "/signup");
  expect(screen.queryByRole("link", { name: "Forgot password?" })).toBeNull();
});
