import { apiClient } from "./api";
import type { CompanyUpdate } from "./database";
import { unwrap } from "./request";

export async function updateCompany(companyId: string, changes: CompanyUpdate): Promise<void> {
  const { rest } = await apiClient();
  await unwrap(rest.from("companies").update(changes).eq("id", companyId));
}
