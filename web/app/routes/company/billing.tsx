import { TIERS_WITH_PRICE } from "~/content/plans";
import { BillingHistory } from "~/features/billing/components/billing-history";
import { PaymentMethods } from "~/features/billing/components/payment-methods";
import { Pricing } from "~/features/billing/components/pricing";
import { PageHeader } from "~/ui/page-header";
import { Tabs } from "~/ui/tabs";

export const meta = () => [{ title: "Billing & Payment · Cairn" }];

export default function Billing() {
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <PageHeader title="Billing & Payment">Your plan, how you pay, and what you paid.</PageHeader>
      <Tabs
        tabs={[
          { name: "Pricing", content: <Pricing tiers={TIERS_WITH_PRICE} /> },
          { name: "Payment Methods", content: <PaymentMethods /> },
          { name: "Billing History", content: <BillingHistory /> },
        ]}
      />
    </div>
  );
}
