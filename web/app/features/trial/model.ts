import type { TrialRow } from "~/lib/database";
import type { ToastMessage } from "~/ui/toast-store";

/** As the server works it out, by its own clock. */
export type Trial = { startDate: string; daysRemaining: number; isActive: boolean };

/** Null for subscribers: to them the trial is over and done with. */
export function trialOf(row: TrialRow | null): Trial | null {
  if (!row || row.subscribed) return null;
  return { startDate: row.start_date, daysRemaining: row.days_remaining, isActive: row.is_active };
}

const WELCOME = "Welcome to Your 7-Day Free Trial!";
const TEN_SECONDS = 10_000;

export function trialToast(told: "welcome" | "reminder", { daysRemaining }: Trial): ToastMessage {
  const title = told === "welcome" ? WELCOME : `Trial Period: ${timeLeft(daysRemaining)}`;
  return { title, description: ALL_OPEN, duration: TEN_SECONDS };
}

const ALL_OPEN = "Everything is open to you, and nothing is locked afterwards.";

export function timeLeft(days: number): string {
  if (days === 0) return "Last day";
  return `${days} ${days === 1 ? "day" : "days"} remaining`;
}

/** Guests are reminded when two days or fewer are left, and after the end. */
export function guestBanner({ isActive, daysRemaining }: Trial): "amber" | "red" | null {
  if (!isActive) return "red";
  return daysRemaining <= 2 ? "amber" : null;
}

/** What the Basic plan costs a month, in cents. */
export const BASIC = { cents: 2000, description: "Basic Plan Subscription" } as const;
