import { cx } from "class-variance-authority";
import { Check, CircleAlert, ExternalLink } from "lucide-react";
import { dollars } from "~/lib/dollars";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Cell, HeadCell, LoadingRows, Row, Table } from "~/ui/table";
import { useInvoices, type Invoice } from "../api/invoices";
import { shortDate } from "../model";
import { isNotLoaded, LoadFailure } from "./load-failure";

/** The padding is narrow, so that four columns fit on a phone. */
const NARROW_PADDING = "max-sm:px-2.5";

export function BillingHistory() {
  const query = useInvoices();
  const invoices = query.data;
  if (isNotLoaded(query)) {
    return <LoadFailure query={query} subject="Your invoices" title="Failed to load billing history" />;
  }
  if (invoices?.length === 0) {
    return (
      <Card>
        <EmptyState title="No invoices yet">Each payment appears here with its invoice.</EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <Table aria-label="Invoices" aria-busy={!invoices}>
        <thead>
          <tr>
            <HeadCell className={NARROW_PADDING}>Invoice</HeadCell>
            <HeadCell className="max-sm:hidden">Description</HeadCell>
            <HeadCell className={NARROW_PADDING}>Date</HeadCell>
            <HeadCell className={cx(NARROW_PADDING, "text-end")}>Amount</HeadCell>
            <HeadCell className={NARROW_PADDING}>Status</HeadCell>
          </tr>
        </thead>
        <tbody>
          {invoices ? (
            invoices.map((invoice) => <InvoiceRowView key={invoice.id} invoice={invoice} />)
          ) : (
            <LoadingRows rows={3} columns={5} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}

function InvoiceRowView({
  invoice: { number, description, issued_at, amount_cents, status, url },
}: {
  invoice: Invoice;
}) {
  return (
    <Row>
      <Cell className={cx(NARROW_PADDING, "font-medium")}>
        {url ? (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1.5 underline underline-offset-4"
          >
            #{number} <ExternalLink className="size-3.5" aria-hidden />
            <span className="sr-only">at the payment provider, opens a new tab</span>
          </a>
        ) : (
          `#${number}`
        )}
      </Cell>
      <Cell dir="auto" className="text-muted max-sm:hidden">
        {description}
      </Cell>
      <Cell className={cx(NARROW_PADDING, "whitespace-nowrap")}>
        <time dateTime={issued_at}>{shortDate(issued_at)}</time>
      </Cell>
      <Cell className={cx(NARROW_PADDING, "text-end")}>{dollars(amount_cents)}</Cell>
      <Cell className={cx(NARROW_PADDING, "whitespace-nowrap")}>
        {status === "paid" ? (
          <Badge tone="forest">
            <Check aria-hidden /> Paid
          </Badge>
        ) : (
          <Badge tone="red">
            <CircleAlert aria-hidden /> Not paid
          </Badge>
        )}
      </Cell>
    </Row>
  );
}
