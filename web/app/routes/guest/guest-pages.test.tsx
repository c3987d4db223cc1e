import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Outlet } from "react-router";
import { expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { GIL, serve, sessionOf, signedIn } from "~/../testing/server";
import { showRoutes } from "~/../testing/show";
import MyWaivers from "./my-waivers";
import GuestProfile from "./profile";

const gil = { ...rosa, ...GIL, name: "Gil Moreau", role: "customer", company: null } as const;
const unconfirmed = { email_confirmed_at: undefined };

function showToGil(path: string) {
  const children = [
    { path: "/guest-dashboard", element: <MyWaivers /> },
    { path: "/guest-dashboard/profile", element: <GuestProfile /> },
  ];
  return showRoutes([{ element: <Outlet context={gil} />, children }], path);
}

test("before the address is verified My Waivers says so, and can have the mail sent again", async () => {
  signedIn(GIL, unconfirmed);
  const seen = serve({
    "GET /auth/v1/user": { body: sessionOf(GIL, unconfirmed).user },
    "POST /auth/v1/resend": { body: {} },
  });
  showToGil("/guest-dashboard");

  expect(await screen.findByText("Please verify your email")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Send the mail again" }));

  expect(await screen.findByText("Mail sent")).toBeVisible();
  const [, resend] = seen;
  expect(resend?.query.get("redirect_to")).toBe(`${window.location.origin}/guest-dashboard`);
});

test("a customer has a profile, without a company's name", () => {
  signedIn(GIL);
  serve({});
  showToGil("/guest-dashboard/profile");

  expect(screen.getByLabelText("Full Name")).toHaveValue("Gil Moreau");
  expect(screen.queryByLabelText("Company Name")).toBeNull();
  expect(screen.getByRole("link", { name: /Password & Security/ })).toBeVisible();
});
