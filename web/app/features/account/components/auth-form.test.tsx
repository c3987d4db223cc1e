import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { accounts, authError, GIL, deferredResponse, ROSA, serve, sessionOf } from "~/../testing/server";
import { show } from "~/../testing/show";
import { AuthForm } from "./auth-form";

const sessionResponse = (user: typeof ROSA) => ({ body: sessionOf(user) });

async function signIn(email: string, password: string) {
  await userEvent.type(screen.getByLabelText("Email"), email);
  await userEvent.type(screen.getByLabelText("Password"), password);
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
}

test("AUTHUI-13 only the first error is shown, beside its field, and the field gets the focus", async () => {
  show(<AuthForm initialMode="signup" />);

  await userEvent.click(screen.getByRole("button", { name: "Create account" }));

  expect(screen.getByRole("alert")).toHaveTextContent("Please enter your name");
  expect(screen.getByLabelText("Full Name")).toHaveFocus();
  expect(screen.getByLabelText("Full Name")).toHaveAccessibleDescription("Please enter your name");
});

test("AUTHUI-08 the link below the form switches between sign-in and sign-up and clears the error", async () => {
  show(<AuthForm initialMode="signin" />);
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(screen.getByText("Please enter your email")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Create an account" }));

  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByLabelText("Full Name")).toBeVisible();
});

test("AUTHUI-05 AUTHUI-06 AUTHUI-14 sign-up has a name and a role, which defaults to Company", () => {
  show(<AuthForm initialMode="signup" />);

  expect(screen.getByLabelText("Full Name")).toBeVisible();
  expect(screen.getByRole("group", { name: "I am a:" })).toBeVisible();
  expect(screen.getByRole("radio", { name: "Company" })).toBeChecked();
  expect(screen.getByRole("radio", { name: "Customer" })).not.toBeChecked();
  expect(screen.getByLabelText("Email")).toHaveAttribute("type", "email");
});

test("ENT-01 AUTHUI-20 ERR-32 sign-up sends name and role, signs the user in and opens the home page of the role", async () => {
  const requests = serve({ ...accounts.gil, "POST /auth/v1/signup": sessionResponse(GIL) });
  const router = show(<AuthForm initialMode="signup" />, "/signup");

  await userEvent.type(screen.getByLabelText("Full Name"), "Gil Moreau");
  await userEvent.click(screen.getByRole("radio", { name: "Customer" }));
  await userEvent.type(screen.getByLabelText("Email"), "gil@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a good password");
  await userEvent.click(screen.getByRole("button", { name: "Create account" }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/guest-dashboard"));
  const signUp = requests.find(({ path }) => path === "/auth/v1/signup");
  expect(signUp?.body).toMatchObject({ email: "gil@example.com", password: "a good password" });
  expect(signUp?.body).toHaveProperty("data", { name: "Gil Moreau", role: "customer" });
  expect(await screen.findByText("Your customer account has been successfully created.")).toBeVisible();
});

test("ERR-31 signing in shows a welcome and opens the requested page", async () => {
  serve({ ...accounts.rosa, "POST /auth/v1/token": sessionResponse(ROSA) });
  const router = show(<AuthForm initialMode="signin" />, {
    pathname: "/signin",
    state: { from: "/dashboard/waiver-management?waiver=1" },
  });

  await signIn("rosa@example.com", "a good password");

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard/waiver-management"));
  expect(router.state.location.search).toBe("?waiver=1");
  expect(await screen.findByText("You've been successfully signed in.")).toBeVisible();
});

test("AUTHUI-22 after sign-in the localStorage entry `user` contains no password and no token", async () => {
  serve({ ...accounts.rosa, "POST /auth/v1/token": sessionResponse(ROSA) });
  show(<AuthForm initialMode="signin" />, "/signin");

  await signIn("rosa@example.com", "a good password");

  await waitFor(() => expect(localStorage.getItem("user")).not.toBeNull());
  expect(JSON.parse(localStorage.getItem("user") ?? "")).toEqual({
    id: `user-${ROSA.id}`,
    email: ROSA.email,
    name: "Rosa Marín",
    role: "company",
    createdAt: "2026-01-01T00:00:00Z",
  });
});

test("AUTHUI-16 ERR-01 the reason why a sign-in failed is shown on the page and as a toast", async () => {
  serve({ "POST /auth/v1/token": authError(400, "invalid_credentials", "Invalid login credentials") });
  const router = show(<AuthForm initialMode="signin" />, "/signin");

  await signIn("rosa@example.com", "wrong");

  expect(await screen.findByText("Sign in failed")).toBeVisible();
  expect(screen.getAllByText("Invalid login credentials").length).toBeGreaterThanOrEqual(2);
  expect(router.state.location.pathname).toBe("/signin");
});

test("AUTHUI-09 while the request is pending, the button is disabled and shows the progress", async () => {
  const { wait, respond } = deferredResponse();
  serve({ ...accounts.rosa, "POST /auth/v1/token": { ...sessionResponse(ROSA), wait } });
  const router = show(<AuthForm initialMode="signin" />, "/signin");

  await signIn("rosa@example.com", "a good password");

  expect(await screen.findByRole("button", { name: "Signing in" })).toBeDisabled();
  respond();
  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
});

test("AUTHUI-15 APP-34 sign-up is sent only with a name and a role", async () => {
  const requests = serve({ ...accounts.rosa, "POST /auth/v1/signup": sessionResponse(ROSA) });
  show(<AuthForm initialMode="signup" />, "/signup");
  await userEvent.type(screen.getByLabelText("Email"), "rosa@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a good password");

  await userEvent.click(screen.getByRole("button", { name: "Create account" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Please enter your name");
  expect(requests).toEqual([]);
  await userEvent.type(screen.getByLabelText("Full Name"), "Rosa Marín");
  await userEvent.click(screen.getByRole("button", { name: "Create account" }));

  await waitFor(() => expect(requests.map(({ path }) => path)).toContain("/auth/v1/signup"));
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(requests[0]?.body).toMatchObject({ data: { name: "Rosa Marín", role: "company", time_zone } });
});

test("AUTHUI-18 the email address does not decide the role: a company with the address waiver@example.com opens the company dashboard", async () => {
  const user = { ...ROSA, email: "waiver@example.com" };
  serve({ ...accounts.rosa, "POST /auth/v1/token": sessionResponse(user) });
  const router = show(<AuthForm initialMode="signin" />, "/signin");

  await signIn("waiver@example.com", "a good password");

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
});

test("ERR-02 the reason why a sign-up failed is shown on the page and as a toast", async () => {
  serve({ "POST /auth/v1/signup": authError(422, "user_already_exists", "User already registered") });
  show(<AuthForm initialMode="signup" />, "/signup");
  await userEvent.type(screen.getByLabelText("Full Name"), "Rosa Marín");

  await userEvent.type(screen.getByLabelText("Email"), "rosa@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a good password");
  await userEvent.click(screen.getByRole("button", { name: "Create account" }));

  expect(await screen.findByText("Sign up failed")).toBeVisible();
  expect(screen.getAllByText("User already registered").length).toBeGreaterThanOrEqual(2);
});
