import { readCache, writeCache } from "~/lib/browser-cache";

/**
 * While a guest has the device, no page of the company is shown, also after a reload. The lock is the value of the URL
 * parameter `sign`. Signing out removes it.
 */
export function lockedTo(): string | null {
  const value = readCache("inPersonSigning");
  return typeof value === "string" ? value : null;
}

export const lockTo = (signParameter: string): void => writeCache("inPersonSigning", signParameter);
export const unlock = (): void => writeCache("inPersonSigning", null);
