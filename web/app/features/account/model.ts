import type { Role } from "~/lib/database";
import { unreachableMessage } from "~/lib/reach";
import { paths } from "~/paths";

export type Account = {
  id: string;
  email: string;
  name: string;
  bio: string;
  /** The name of its file, for `pictureAddress`. */
  profilePicture?: string | null;
  role: Role;
  createdAt: string;
  company: { id: string; name: string } | null;
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
    name: textIn(form, "name"),
    role: textIn(form, "role") === "customer" ? "customer" : "company",
    email: textIn(form, "email"),
    password: textIn(form, "password"),
  };
}

export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The first thing that is missing, in the order the form asks for it. */
export function firstProblem(
  mode: Mode,
  typed: Credentials,
): { field: "name" | "email" | "password"; message: string } | null {
  if (mode === "signup" && !typed.name.trim()) return { field: "name", message: "Please enter your name" };
  if (!typed.email.trim()) return { field: "email", message: "Please enter your email" };
  if (!typed.password) return { field: "password", message: "Please enter your password" };
  return null;
}

export function messageOf(error: unknown): string {
  if (error instanceof Error && isUnanswered(error)) return unreachableMessage();
  return (error instanceof Error && error.message) || "An unexpected error occurred";
}

/** The client calls every 5xx a lost network; with a 500 the server has answered, in words of its own. */
function isUnanswered(error: Error): boolean {
  return error.name === "AuthRetryableFetchError" && !("status" in error && error.status === 500);
}

export function homeOf(role: Role): string {
  return role === "company" ? paths.dashboard : paths.guestHome;
}

/** One role or a list of them. */
export function hasRole(role: Role, required: Role | readonly Role[]): boolean {
  return typeof required === "string" ? role === required : required.includes(role);
}

/** What the guard remembers when it sends someone to sign-in. */
export type WantedPlace = { from?: unknown } | null;

/** Where someone lands after signing in: where they wanted to go, when that is theirs, otherwise home. */
export function landing(role: Role, wanted: unknown): string {
  const home = homeOf(role);
  if (typeof wanted !== "string") return home;
  const inside = wanted === home || wanted.startsWith(`${home}/`) || wanted.startsWith(`${home}?`);
  return inside ? wanted : home;
}

/** What the browser keeps of a person: no password, no token. */
export function cachedUser(account: Account) {
  const { id, email, name, role, createdAt, profilePicture } = account;
  return { id: `user-${id}`, email, name, role, createdAt, ...(profilePicture && { profilePicture }) };
}

/** Caches of someone else are thrown away when another person signs in. */
export function isCacheOf(cached: unknown, account: Account): boolean {
  return (
    typeof cached === "object" && cached !== null && "id" in cached && cached.id === `user-${account.id}`
  );
}

export function companyNameProblem(name: string): string | null {
  if (!name.trim()) return "Please enter the name of your company";
  return name.trim().length > 200 ? "Please keep the name under 200 characters" : null;
}
