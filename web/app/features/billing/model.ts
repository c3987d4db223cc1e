import * as z from "~/lib/zod";
import type { AllowanceRow, SubscriptionRow } from "~/lib/database";
import { longDate } from "~/lib/dates";

export type Subscription = Pick<
  SubscriptionRow,
  "id" | "plan" | "status" | "renews_at" | "is_ending" | "provider"
>;

export const PLAN_TITLES: Record<Subscription["plan"], string> = {
  basic: "Basic",
  professional: "Professional",
};

const methodSchema = z.object({
  id: z.string(),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number(),
  exp_year: z.number(),
  isDefault: z.boolean(),
});
export type PaymentMethod = z.infer<typeof methodSchema>;
const methodsSchema = z.object({ paymentMethods: z.array(methodSchema) });

export const parsePaymentMethods = (payload: unknown): PaymentMethod[] =>
  methodsSchema.parse(payload).paymentMethods;

/** `url` is the page of the payment provider on which the user continues. */
const pageUrlSchema = z.object({ url: z.string().min(1) });

export const parsePageUrl = (payload: unknown): string => pageUrlSchema.parse(payload).url;

const BRANDS: Record<string, string> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};

export const brandName = (brand: string): string => BRANDS[brand] ?? "Card";

export const expiryLabel = ({ exp_month, exp_year }: PaymentMethod): string =>
  `${String(exp_month).padStart(2, "0")}/${exp_year}`;

/** A card is valid through the last day of its expiry month. */
export function isExpired({ exp_month, exp_year }: PaymentMethod, now: Date): boolean {
  // JavaScript counts months from 0, so this is the first day of the following month.
  return now >= new Date(exp_year, exp_month, 1);
}

const shortDateFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

export const shortDate = (at: string): string => shortDateFormat.format(new Date(at));

export function renewalSentence({ renews_at, is_ending, status }: Subscription): string {
  if (status === "past_due") return "The last payment failed. Please check your card; it is tried again.";
  if (renews_at === null) return "It is renewed every month.";
  const day = longDate(new Date(renews_at));
  return is_ending ? `It ends on ${day}. Until then it is yours.` : `It is renewed on ${day}.`;
}

export function usageSentence({ sent, covered, month }: AllowanceRow): string {
  const name = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(new Date(month));
  const count = sent.toLocaleString("en");
  if (covered === null) return `${count} sent in ${name}, without a limit`;
  return `${count} of ${covered.toLocaleString("en")} sent in ${name}`;
}
