import type { TrialRow } from "~/lib/database";
import type { ToastMessage } from "~/ui/toast-store";

/** The server calculates the trial with its own clock. */
export type Trial = { startDate: string; daysRemaining: number; isActive: boolean };

/** Returns null for subscribers, because the trial no longer matters to them. */
export function toTrial(row: TrialRow | null): Trial | null {
  if (!row || row.subscribed) return null;
  return { startDate: row.start_date, daysRemaining: row.days_remaining, isActive: row.is_active };
}

const WELCOME_TITLE = "Welcome to Your 7-Day Free Trial!";
const TOAST_DURATION_MS = 10_000;

export function trialToast(kind: "welcome" | "reminder", { daysRemaining }: Trial): ToastMessage {
  const title = kind === "welcome" ? WELCOME_TITLE : `Trial Period: ${timeLeft(daysRemaining)}`;
  return { title, description: FULL_ACCESS, duration: TOAST_DURATION_MS };
}

const FULL_ACCESS = "Everything is open to you, and nothing is locked afterwards.";

export function timeLeft(days: number): string {
  if (days === 0) return "Last day";
  return `${days} ${days === 1 ? "day" : "days"} remaining`;
}

/**
 * Returns the color of the guest's banner, or null if no banner is shown. The banner appears when at most two
 * days remain, and after the end.
 */
export function guestBannerTone({ isActive, daysRemaining }: Trial): "amber" | "red" | null {
  if (!isActive) return "red";
  return daysRemaining <= 2 ? "amber" : null;
}

export const GUESTS_NEVER_PAY = "Guests never pay. A plan is only for sending waivers of your own.";
/** The checkout page gets the monthly price and the description of the Basic plan. */
export const BASIC_PLAN = { cents: 2000, description: "Basic Plan Subscription" } as const;
