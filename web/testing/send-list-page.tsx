import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import SendListPage from "~/widgets/send-list-page";
import { showToRosa } from "./company";
import { SENT_RESPONSES } from "./list-run";
import { ROSA, type RecordedRequest } from "./server";
import { TEMPLATE_ROW } from "./template-row";

/** With these responses there are two templates, and every row of a list is sent. */
export const LIST_PAGE_RESPONSES = {
  ...SENT_RESPONSES,
  "GET /rest/v1/waiver_templates": {
    body: [TEMPLATE_ROW, { ...TEMPLATE_ROW, id: "tpl-2", name: "Night paddle" }],
  },
  "GET /rest/v1/waiver_sessions": { body: [] },
  "POST /rest/v1/rpc/waiver_allowance": { body: { month: "2026-11-01", sent: 990, covered: 1000 } },
};

export const LIST_OWNER = { userId: ROSA.id, companyId: "c1" };

/** Opens the page and returns the field for the list. */
export async function openListPage(templateId = "tpl-1") {
  showToRosa(<SendListPage owner={LIST_OWNER} templateId={templateId} />, "/dashboard/waivers");
  return screen.findByLabelText(/^Recipients/);
}

export async function showListPreview(list: string) {
  await userEvent.click(await openListPage());
  await userEvent.paste(list);
  await userEvent.click(screen.getByRole("button", { name: "Show preview" }));
  await screen.findByRole("heading", { name: "Preview" });
}

/** Returns the text of each item of the list with this name. */
export const rowTexts = (name: string) =>
  within(screen.getByRole("list", { name }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

export const sentEmails = (requests: RecordedRequest[]) =>
  requests.filter(({ path }) => path.endsWith("send-email")).map(({ body }) => body);

/** Tells whether the browser would ask before it closes the page. */
export const asksBeforeLeaving = (): boolean =>
  !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
