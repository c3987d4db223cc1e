import type { ProfileRow } from "~/lib/database";
import { paths } from "~/paths";

export type Role = ProfileRow["role"];

export type Account = {
  id: string;
  email: string;
  name: string;
  bio: string;
  /** This is the name of a file in the bucket for profile pictures. */
  profilePicture?: string | null;
  role: Role;
  createdAt: string;
  /** The time when the account will be deleted, if its owner has requested that. */
  deleteAt?: string | null;
  /** `time_zone_is_set` is false until someone has chosen the time zone of the company. */
  company: { id: string; name: string; time_zone_is_set?: boolean } | null;
};

export function isAccount(value: unknown): value is Account {
  return (
    typeof value === "object" &&
    value !== null &&
    "role" in value &&
    (value.role === "company" || value.role === "customer")
  );
}

export type Mode = "signin" | "signup";
export type Credentials = { name: string; role: Role; email: string; password: string };

export function readCredentials(form: FormData): Credentials {
  return {
    name: textField(form, "name"),
    role: textField(form, "role") === "customer" ? "customer" : "company",
    email: textField(form, "email"),
    password: textField(form, "password"),
  };
}

export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Returns the first missing field, in the order of the page. */
export function firstProblem(
  mode: Mode,
  credentials: Credentials,
): { field: "name" | "email" | "password"; message: string } | null {
  if (mode === "signup" && !credentials.name.trim())
    return { field: "name", message: "Please enter your name" };
  if (!credentials.email.trim()) return { field: "email", message: "Please enter your email" };
  if (!credentials.password) return { field: "password", message: "Please enter your password" };
  return null;
}

export function homePathOf(role: Role): string {
  return role === "company" ? paths.dashboard : paths.guestHome;
}

export function hasRole(role: Role, required: Role | readonly Role[]): boolean {
  return typeof required === "string" ? role === required : required.includes(role);
}

/** A guarded page passes this navigation state to the sign-in page. */
export type SignInState = { from?: unknown } | null;

/** Returns the requested path if it belongs to the role, otherwise the home page of the role. */
export function pathAfterSignIn(role: Role, requested: unknown): string {
  const home = homePathOf(role);
  if (typeof requested !== "string") return home;
  const isInside = requested === home || requested.startsWith(`${home}/`) || requested.startsWith(`${home}?`);
  return isInside ? requested : home;
}

/** Returns the part of the account that is cached in the browser. It contains no password and no token. */
export function toCachedUser(account: Account) {
  const { id, email, name, role, createdAt, profilePicture } = account;
  return { id: `user-${id}`, email, name, role, createdAt, ...(profilePicture && { profilePicture }) };
}

/** Tells whether the cached user is this account. If not, the caller deletes the data of the other user. */
export function isCacheOf(cached: unknown, account: Account): boolean {
  return (
    typeof cached === "object" && cached !== null && "id" in cached && cached.id === `user-${account.id}`
  );
}

export function companyNameProblem(name: string): string | null {
  if (!name.trim()) return "Please enter the name of your company";
  return name.trim().length > 200 ? "Please use at most 200 characters" : null;
}
