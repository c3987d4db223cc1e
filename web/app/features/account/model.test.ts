import { expect, test } from "vitest";
import { toCachedUser, firstProblem, hasRole, isCacheOf, pathAfterSignIn, type Account } from "./model";

const emptyCredentials = { name: "", role: "company", email: "", password: "" } as const;

test.each([
  ["signup", {}, "Please enter your name"],
  ["signup", { name: "  " }, "Please enter your name"],
  ["signup", { name: "Rosa" }, "Please enter your email"],
  ["signup", { name: "Rosa", email: "rosa@example.com" }, "Please enter your password"],
  ["signin", {}, "Please enter your email"],
  ["signin", { email: "rosa@example.com" }, "Please enter your password"],
] as const)("AUTHUI-13 %s with %o reports the first missing field: %s", (mode, input, message) => {
  expect(firstProblem(mode, { ...emptyCredentials, ...input })?.message).toBe(message);
});

test("complete credentials have no problem", () => {
  expect(
    firstProblem("signin", { ...emptyCredentials, email: "rosa@example.com", password: "secret" }),
  ).toBeNull();
});

test.each([
  ["company", "/dashboard/waivers?x=1", "/dashboard/waivers?x=1"],
  ["company", "/guest-dashboard", "/dashboard"],
  ["company", "/dashboardish", "/dashboard"],
  ["company", "//evil.example", "/dashboard"],
  ["company", undefined, "/dashboard"],
  ["customer", "/guest-dashboard", "/guest-dashboard"],
  ["customer", "/dashboard", "/guest-dashboard"],
] as const)(
  "ROUTE-33 a user with the role %s who requested %s is redirected to %s",
  (role, requested, path) => {
    expect(pathAfterSignIn(role, requested)).toBe(path);
  },
);

test("ROUTE-35 a guard accepts one role or a list of roles", () => {
  expect(hasRole("company", "company")).toBe(true);
  expect(hasRole("customer", "company")).toBe(false);
  expect(hasRole("customer", ["company", "customer"])).toBe(true);
  expect(hasRole("customer", ["company"])).toBe(false);
});

const rosa: Account = {
  id: "1234",
  email: "rosa@example.com",
  name: "Rosa",
  bio: "",
  role: "company",
  createdAt: "2026-01-01",
  company: null,
};

test("ENT-02 the cached user of an account without a picture has exactly five fields, and its id has the prefix user-", () => {
  const { email, name, role, createdAt } = rosa;

  expect(toCachedUser(rosa)).toEqual({ id: "user-1234", email, name, role, createdAt });
});

test("the cache of another user is recognised", () => {
  expect(isCacheOf(toCachedUser(rosa), rosa)).toBe(true);
  expect(isCacheOf(toCachedUser({ ...rosa, id: "other" }), rosa)).toBe(false);
  expect(isCacheOf(null, rosa)).toBe(false);
});
