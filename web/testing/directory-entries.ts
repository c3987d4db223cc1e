import { SIGNED_WAIVER } from "./company";

export const signedEntry = {
  id: SIGNED_WAIVER.id,
  type: "signed",
  session_id: SIGNED_WAIVER.session_id,
  template_id: SIGNED_WAIVER.template_id,
  template_name: SIGNED_WAIVER.template_name,
  name: SIGNED_WAIVER.signer_name,
  email: SIGNED_WAIVER.signer_email,
  status: "signed",
  at: SIGNED_WAIVER.signed_at,
  place: "2026-03-04T12:00:00.000000Z",
  minors: [] as string[],
  flags: [] as string[],
};

export const pendingEntry = {
  ...signedEntry,
  id: "aaaaaaaa-0000-4000-8000-000000000002",
  type: "pending",
  session_id: "aaaaaaaa-0000-4000-8000-000000000002",
  name: "Ana Ortiz",
  email: "ana@example.com",
  status: "pending",
  at: "2026-03-03T12:00:00Z",
  place: "2026-03-03T12:00:00.000000Z",
};

export const expiredEntry = {
  ...pendingEntry,
  id: "b",
  session_id: "b",
  name: "Bo Lind",
  status: "expired",
  at: null,
};

/** The directory of a company with one signed and one pending waiver. */
export const DIRECTORY_RESPONSES = {
  "POST /rest/v1/rpc/waiver_directory": { body: [signedEntry, pendingEntry] },
  "POST /rest/v1/rpc/count_waiver_directory": { body: 2 },
  // No template asks questions.
  "GET /rest/v1/waiver_template_versions": { body: [] },
};
