import type { ReactNode } from "react";
import { Outlet } from "react-router";
import type { Account } from "~/features/account/model";
import { ROSA, signInAs } from "./server";
import { showRoutes } from "./show";

/** The layout passes this account to its pages. */
export const rosa: Account = {
  ...ROSA,
  name: "Rosa Marín",
  bio: "",
  role: "company",
  createdAt: "2026-01-01T00:00:00Z",
  company: { id: "c1", name: "Rio Rafting" },
};

/** Shows a company page as Rosa sees it inside the layout. */
export function showToRosa(page: ReactNode, url: string, account: Account = rosa) {
  signInAs(ROSA);
  const path = url.split("?")[0] ?? url;
  return showRoutes([{ element: <Outlet context={account} />, children: [{ path, element: page }] }], url);
}

export const SIGNED_WAIVER = {
  id: "0badcafe-0000-4000-8000-000000000001",
  session_id: "5e551011-0000-4000-8000-000000000001",
  template_id: "tpl-1",
  template_name: "River day",
  signer_name: "Gil Moreau",
  signer_email: "gil@example.com",
  signature: "data:image/png;base64,iVBORw0KGgo=",
  content: "I, Gil Moreau, agree.",
  signed_at: "2026-03-04T12:00:00Z",
  revoked_at: null,
  revoke_reason: null,
  superseded_by: null,
  held_since: null as string | null,
  erased_at: null as string | null,
};

/** The counts of a company without waivers. A test replaces some of them. */
export const NO_WAIVERS = { total: 0, signed: 0, pending: 0, expired: 0, cancelled: 0, revoked: 0 };

/** This is a row of `sent_waivers`. A test adds the status of the email. */
export const SENT_WAIVER = {
  id: "s1",
  session_id: "5e551011-0000-4000-8000-000000000001",
  template_id: "tpl-1",
  template_name: "River day",
  template_content: "I agree.",
  recipient_name: "Gil Moreau",
  recipient_email: "gil@example.com",
  status: "pending",
  sent_as_pdf: false,
  email_message_id: null,
  sent_at: "2026-03-04T12:00:00Z",
};
