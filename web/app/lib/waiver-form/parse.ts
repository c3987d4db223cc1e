import type { Answer, Form, Refusal } from "./types";

/** The type of the column allows any JSON, but the database has checked that it contains a form. */
export function toForm(column: object | null): Form | null {
  return isForm(column) ? column : null;
}

const isForm = (column: object | null): column is Form => Boolean(column);

/** Returns null for a refusal that is not about the form. Refusals about the form have an object as their details. */
export function toRefusal(code: unknown, details: unknown): Refusal | null {
  const refusal = { ...Object(details), code };
  return typeof details === "object" && details !== null && isRefusal(refusal) ? refusal : null;
}

const isRefusal = (refusal: { code: unknown }): refusal is Refusal => typeof refusal.code === "string";

/** The type allows any JSON, but the database checked the answer when it was stored. */
export function toAnswer(stored: unknown): Answer {
  return isAnswer(stored) ? stored : null;
}

const isAnswer = (stored: unknown): stored is Answer => stored !== undefined;
