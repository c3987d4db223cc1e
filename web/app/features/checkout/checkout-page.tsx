import { CircleAlert, Lock } from "lucide-react";
import { useLocation, useNavigate } from "react-router";
import { dollars } from "~/lib/dollars";
import { useIsInBrowser } from "~/lib/use-browser-value";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Notice } from "~/ui/notice";
import { Skeleton } from "~/ui/skeleton";
import { useCheckout } from "./use-checkout";
import { parseOrder } from "./model";

export function CheckoutPage() {
  const order = parseOrder(useLocation().search);
  const { proceed, isBusy, problem } = useCheckout();
  const cancel = useCancel();
  // The buttons of the prerendered page do nothing until the scripts have loaded.
  const isInBrowser = useIsInBrowser();
  return (
    <main id="main" className="mx-auto w-full max-w-lg px-4 py-16 sm:py-24">
      <h1 className="font-display text-4xl font-bold tracking-tight">Secure Checkout</h1>
      <Card className="mt-8 p-6 sm:p-8">
        <Summary />
        {problem && (
          <div role="alert" className="mt-6">
            <Notice tone="red" icon={CircleAlert}>
              {problem}
            </Notice>
          </div>
        )}
        <div className="mt-7 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" size="lg" disabled={!isInBrowser} onClick={cancel}>
            Cancel
          </Button>
          <Button size="lg" busy={isBusy} disabled={!isInBrowser} onClick={() => void proceed(order)}>
            Proceed to Payment
          </Button>
        </div>
      </Card>
      <p className="mt-5 flex items-center gap-2 text-sm text-muted">
        <Lock className="size-4 shrink-0" aria-hidden />
        Nothing is paid yet: the payment provider asks for your card on its own page.
      </p>
      <noscript>
        <p className="mt-5">This page needs JavaScript to show what you are about to buy.</p>
      </noscript>
    </main>
  );
}

function Summary() {
  const { search } = useLocation();
  // The page is prerendered without an order, so the amount is shown only after the browser has read the URL.
  const isInBrowser = useIsInBrowser();
  if (!isInBrowser) return <Skeleton className="h-24" />;
  const { cents, description } = parseOrder(search);
  return (
    <dl className="grid gap-5">
      <div>
        <dt className="text-sm text-muted">Description</dt>
        <dd dir="auto" className="mt-0.5 text-lg font-medium wrap-break-word">
          {description}
        </dd>
      </div>
      <div className="flex items-baseline justify-between border-t border-line pt-5">
        <dt className="text-sm text-muted">Amount</dt>
        <dd className="font-display text-3xl font-bold tracking-tight tabular-nums">{dollars(cents)}</dd>
      </div>
    </dl>
  );
}

/**
 * Goes back to the previous page, or to the price list if there is none. A user who has just canceled on the payment
 * page is not sent back to it.
 */
function useCancel(): () => void {
  const navigate = useNavigate();
  const hasReturned = new URLSearchParams(useLocation().search).has("returned");
  return () => {
    if (window.history.length > 1 && !hasReturned) void navigate(-1);
    else void navigate(paths.pricing);
  };
}
