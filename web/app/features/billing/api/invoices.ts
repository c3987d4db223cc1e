import { useQuery } from "@tanstack/react-query";
import type { InvoiceRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";

/** With one invoice a month, the list covers more than eight years. */
const MAX_INVOICES = 100;

export function useInvoices() {
  return useQuery({ queryKey: ["billing", "invoices"], queryFn: fetchInvoices });
}

export type Invoice = Omit<InvoiceRow, "company_id">;

async function fetchInvoices(): Promise<Invoice[]> {
  const { rest } = await apiClient();
  return unwrap(
    rest
      .from("invoices")
      .select("id, number, description, amount_cents, status, issued_at, url")
      .order("issued_at", { ascending: false })
      .order("number", { ascending: false })
      .limit(MAX_INVOICES),
  );
}
