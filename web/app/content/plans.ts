import { paths } from "~/paths";

export type Tier = {
  title: string;
  description: string;
  /** The price is null if it is negotiated. */
  price: { currency: string; amount: number; frequency: string } | null;
  features: string[];
  /** The call to action. */
  cta: { text: string; link: string };
  isPopular: boolean;
};

/** These features are part of a plan but do not exist yet. Each card says so beside the feature. */
export const IN_PREPARATION = ["Advanced templates", "Analytics dashboard", "Calendar integration"];
export const IN_PREPARATION_NOTE =
  "What is in preparation does not exist yet, so please do not choose a plan because of it.";

/** The server replaces this placeholder with the address that the operator has configured. */
export const SALES_EMAIL = "__CAIRN_SALES_EMAIL__";

const BASIC: Tier = {
  title: "Basic",
  description:
    "For businesses that send more than 20 waivers a month. Try it for 7 days. No credit card required.",
  price: { currency: "USD", amount: 20, frequency: "month" },
  features: ["Up to 1000 waivers per month", "Email delivery", "Basic templates", "Guest management"],
  cta: { text: "Get Started", link: paths.checkout(2000, "Basic Plan Subscription") },
  isPopular: false,
};

const PROFESSIONAL: Tier = {
  title: "Professional",
  description: "For busy seasons and several tours a day: send as many waivers as you have guests.",
  price: { currency: "USD", amount: 40, frequency: "month" },
  features: [
    "Unlimited waivers",
    "Email and SMS delivery",
    "Advanced templates",
    "API access",
    "Analytics dashboard",
    "Calendar integration",
  ],
  cta: { text: "Get Started", link: paths.checkout(4000, "Professional Plan Subscription") },
  isPopular: true,
};

const ENTERPRISE: Tier = {
  title: "Enterprise",
  description: "For large volumes, or for running Cairn on your own servers.",
  price: null,
  features: ["Everything in Professional", "A price that fits your volume", "Help with moving in"],
  cta: { text: "Contact sales", link: `mailto:${SALES_EMAIL}` },
  isPopular: false,
};

export const TIERS_WITH_PRICE = [BASIC, PROFESSIONAL];
export const ALL_TIERS = [BASIC, PROFESSIONAL, ENTERPRISE];
