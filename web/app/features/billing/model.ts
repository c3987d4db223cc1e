import * as z from "zod";
import type { AllowanceRow, SubscriptionRow } from "~/lib/database";
import { longDate } from "~/lib/dates";

export type Subscription = Pick<
  SubscriptionRow,
  "id" | "plan" | "status" | "renews_at" | "is_ending" | "provider"
>;

export const TITLES: Record<Subscription["plan"], string> = { basic: "Basic", professional: "Professional" };

const method = z.object({
  id: z.string(),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number(),
  exp_year: z.number(),
  isDefault: z.boolean(),
});
export type PaymentMethod = z.infer<typeof method>;
const methods = z.object({ paymentMethods: z.array(method) });

export const readMethods = (answer: unknown): PaymentMethod[] => methods.parse(answer).paymentMethods;

const address = z.object({ url: z.string().min(1) });

export const readAddress = (answer: unknown): string => address.parse(answer).url;

const BRANDS: Record<string, string> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};

/** Whose card it is; a brand nobody has heard of is a card all the same. */
export const brandName = (brand: string): string => BRANDS[brand] ?? "Card";

export const expiry = ({ exp_month, exp_year }: PaymentMethod): string =>
  `${String(exp_month).padStart(2, "0")}/${exp_year}`;

/** A card is good until the last day of its month. */
export function isExpired({ exp_month, exp_year }: PaymentMethod, now: Date): boolean {
  return now >= new Date(exp_year, exp_month, 1);
}

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

const short = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

export const shortDate = (at: string): string => short.format(new Date(at));

/** What the subscription does next, in a sentence. */
export function nextStep({ renews_at, is_ending, status }: Subscription): string {
  if (status === "past_due") return "The last payment failed. Please check your card; it is tried again.";
  if (renews_at === null) return "It is renewed every month.";
  const day = longDate(new Date(renews_at));
  return is_ending ? `It ends on ${day}. Until then it is yours.` : `It is renewed on ${day}.`;
}

export function monthUsed({ sent, covered, month }: AllowanceRow): string {
  const name = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(new Date(month));
  const count = sent.toLocaleString("en");
  if (covered === null) return `${count} sent in ${name}, without a limit`;
  return `${count} of ${covered.toLocaleString("en")} sent in ${name}`;
}
