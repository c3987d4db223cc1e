import * as z from "zod";
import { EMPTY, type SupportMessage } from "./model";

const KEY = "supportMessage";
const storedMessageSchema = z.object({ subject: z.string(), message: z.string(), waiver: z.string() });

/** Kept in this tab until it is closed or the user signs out. */
export function readUnsentMessage(): SupportMessage {
  try {
    return storedMessageSchema.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ""));
  } catch {
    return EMPTY;
  }
}

export function saveUnsentMessage(message: SupportMessage): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(message));
  } catch {
    // Storage is full or disabled; the text is still in the form.
  }
}

export const deleteUnsentMessage = (): void => sessionStorage.removeItem(KEY);
