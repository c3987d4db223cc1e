import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/../testing/show";
import SignIn from "./sign-in";
import SignUp from "./sign-up";

test("AUTHUI-01 the sign-in page welcomes to Cairn", () => {
  show(<SignIn />, "/signin");

  expect(screen.getByRole("heading", { name: "Welcome to Cairn" })).toBeVisible();
  expect(screen.getByText("Sign in to your account or create a new one")).toBeVisible();
  expect(screen.queryByLabelText("Full Name")).toBeNull();
});

test("AUTHUI-02 AUTHUI-03 the sign-up page opens the form in sign-up mode, with the offer", () => {
  show(<SignUp />, "/signup");

  expect(screen.getByRole("heading", { name: "Get started with Cairn" })).toBeVisible();
  expect(screen.getByText("Create your account and start managing waivers today")).toBeVisible();
  expect(screen.getByText("Free 7-day trial • No credit card required")).toBeVisible();
  expect(screen.getByLabelText("Full Name")).toBeVisible();
});
