import * as z from "zod";
import { EMPTY, type SupportMessage } from "./model";

const KEY = "supportMessage";
const someMessage = z.object({ subject: z.string(), message: z.string(), waiver: z.string() });

/** What was written and not sent, in this tab alone and until it is closed or its person signs out. */
export function unsentMessage(): SupportMessage {
  try {
    return someMessage.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ""));
  } catch {
    return EMPTY;
  }
}

export function keepUnsent(message: SupportMessage): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(message));
  } catch {
    // Storage is full or forbidden; it stays in the form.
  }
}

export const forgetUnsent = (): void => sessionStorage.removeItem(KEY);
