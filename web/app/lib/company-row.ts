import { apiClient } from "./api";
import type { CompanyRow, CompanyUpdate } from "./database";
import { unwrap } from "./request";

export async function readCompany<Column extends keyof CompanyRow>(
  companyId: string,
  columns: readonly Column[],
): Promise<Pick<CompanyRow, Column>> {
  const { rest } = await apiClient();
  return unwrap(
    rest
      .from("companies")
      .select<string, Pick<CompanyRow, Column>>(columns.join())
      .eq("id", companyId)
      .single(),
  );
}

export async function updateCompany(companyId: string, changes: CompanyUpdate): Promise<void> {
  const { rest } = await apiClient();
  await unwrap(rest.from("companies").update(changes).eq("id", companyId));
}
