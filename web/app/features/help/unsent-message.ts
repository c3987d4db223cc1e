import * as z from "zod";
import { EMPTY_MESSAGE, type SupportMessage } from "./model";

const KEY = "supportMessage";
const storedMessageSchema = z.object({ subject: z.string(), message: z.string(), waiver: z.string() });

/** Reads the message that is kept in this tab until the tab is closed or the user signs out. */
export function readUnsentMessage(): SupportMessage {
  try {
    return storedMessageSchema.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ""));
  } catch {
    return EMPTY_MESSAGE;
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
