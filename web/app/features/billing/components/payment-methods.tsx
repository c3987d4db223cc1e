import { CreditCard } from "lucide-react";
import { useState } from "react";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Skeleton } from "~/ui/skeleton";
import { useManageBilling } from "../api/manage-billing";
import { METHODS_NOT_LOADED, usePaymentMethods } from "../api/payment-methods";
import { brandName, expiryLabel, isExpired, type PaymentMethod } from "../model";
import { isNotLoaded, LoadFailure } from "./load-failure";

export function PaymentMethods() {
  const query = usePaymentMethods();
  const methods = query.data;
  const manage = useManageBilling();
  if (isNotLoaded(query)) {
    return <LoadFailure query={query} subject="Your cards" title={METHODS_NOT_LOADED} />;
  }
  if (!methods) return <LoadingMethods />;
  if (methods.length === 0) {
    return (
      <Card>
        <EmptyState title="No card yet">
          The card you pay with appears here after your first payment. Its number stays with the payment
          provider.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <ul aria-label="Payment methods" className="divide-y divide-line">
        {methods.map((method) => (
          <Method key={method.id} method={method} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3 border-t border-line p-4 sm:px-6">
        <p className="grow basis-56 text-sm text-muted">
          Card numbers are kept by the payment provider, never here.
        </p>
        <Button variant="secondary" size="sm" busy={manage.isPending} onClick={() => manage.mutate()}>
          Manage
        </Button>
      </div>
    </Card>
  );
}

function Method({ method }: { method: PaymentMethod }) {
  const [now] = useState(() => new Date());
  const hasExpired = isExpired(method, now);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 sm:px-6">
      <CreditCard className="size-6 shrink-0 text-muted" strokeWidth={1.5} aria-hidden />
      <div className="grow">
        <p className="font-medium">
          {brandName(method.brand)} <span className="text-muted">ending in</span>{" "}
          <span className="tabular-nums">{method.last4}</span>
        </p>
        <p className="text-sm text-muted tabular-nums">
          {hasExpired ? "Expired" : "Expires"} {expiryLabel(method)}
        </p>
      </div>
      {hasExpired && <Badge tone="red">Expired</Badge>}
      {method.isDefault && <Badge tone="forest">Default</Badge>}
    </li>
  );
}

function LoadingMethods() {
  return (
    <Card aria-hidden className="divide-y divide-line">
      <div className="flex items-center gap-4 px-4 py-4 sm:px-6">
        <Skeleton className="size-6" />
        <div>
          <Skeleton className="h-5 w-44" />
          <Skeleton className="mt-2 h-4 w-28" />
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 p-4 sm:px-6">
        <Skeleton className="h-4 w-72" />
        <Skeleton className="h-11 w-20 md:h-9" />
      </div>
    </Card>
  );
}
