import type { TrialRow } from "~/lib/database";
import type { ToastMessage } from "~/ui/toast-store";

/** Calculated by the server with its own clock. */
export type Trial = { startDate: string; daysRemaining: number; isActive: boolean };

/** Null for subscribers, to whom the trial no longer matters. */
export function toTrial(row: TrialRow | null): Trial | null {
  if (!row || row.subscribed) return null;
  return { startDate: row.start_date, daysRemaining: row.days_remaining, isActive: row.is_active };
}

const WELCOME = "Welcome to Your 7-Day Free Trial!";
const TEN_SECONDS = 10_000;

export function trialToast(kind: "welcome" | "reminder", { daysRemaining }: Trial): ToastMessage {
  const title = kind === "welcome" ? WELCOME : `Trial Period: ${timeLeft(daysRemaining)}`;
  return { title, description: FULL_ACCESS, duration: TEN_SECONDS };
}

const FULL_ACCESS = "Everything is open to you, and nothing is locked afterwards.";

export function timeLeft(days: number): string {
  if (days === 0) return "Last day";
  return `${days} ${days === 1 ? "day" : "days"} remaining`;
}

/** Guests are reminded when two days or fewer are left, and after the end. */
export function guestBanner({ isActive, daysRemaining }: Trial): "amber" | "red" | null {
  if (!isActive) return "red";
  return daysRemaining <= 2 ? "amber" : null;
}

/** The monthly price of the Basic plan. */
export const BASIC = { cents: 2000, description: "Basic Plan Subscription" } as const;
