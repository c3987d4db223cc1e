import { readCache, writeCache } from "~/lib/browser-cache";

/**
 * While a guest has the device, no page of the company is shown, not even after a reload. The lock is the stored value
 * of the URL parameter `sign`, or null if no guest has the device. Signing out removes the lock.
 */
export function lockedTo(): string | null {
  const value = readCache("inPersonSigning");
  return typeof value === "string" ? value : null;
}

export const lockTo = (signParameter: string): void => writeCache("inPersonSigning", signParameter);
export const unlock = (): void => writeCache("inPersonSigning", null);
