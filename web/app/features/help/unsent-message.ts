import * as z from "~/lib/zod";
import { EMPTY_MESSAGE, type SupportMessage } from "./model";

const STORAGE_KEY = "supportMessage";
const storedMessageSchema = z.object({ subject: z.string(), message: z.string(), waiver: z.string() });

/** Reads the message that is kept in this tab until the tab is closed or the user signs out. */
export function readUnsentMessage(): SupportMessage {
  try {
    return storedMessageSchema.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? ""));
  } catch {
    return EMPTY_MESSAGE;
  }
}

export function saveUnsentMessage(message: SupportMessage): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(message));
  } catch {
    // Storage is full or disabled; the text is still on the page.
  }
}

export const deleteUnsentMessage = (): void => sessionStorage.removeItem(STORAGE_KEY);
