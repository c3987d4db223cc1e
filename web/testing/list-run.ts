import type { ListRun, RunRow } from "~/features/sending/list/list-run";
import { ROSA } from "./server";

export const RIVER_DAY = { id: "tpl-1", name: "River day", content: "I agree." };

/** A row of a list that was not sent yet. */
export const listRow = (number: number, fields: Partial<RunRow> = {}): RunRow => ({
  number,
  name: `Guest ${number}`,
  email: `guest${number}@example.com`,
  phone: "",
  sessionId: `session-${number}`,
  sendingId: `sending-${number}`,
  idempotencyKey: `key-${number}`,
  isStored: false,
  outcome: null,
  ...fields,
});

export const listRun = (rows: RunRow[], fields: Partial<ListRun> = {}): ListRun => ({
  userId: ROSA.id,
  companyId: "c1",
  templateId: RIVER_DAY.id,
  templateName: RIVER_DAY.name,
  message: "",
  asPdf: false,
  rows,
  unsent: [],
  ...fields,
});

/** With these responses, every row of a list is sent. */
export const SENT_RESPONSES = {
  "POST /rest/v1/waiver_sessions": { status: 201, body: { id: "from-server" } },
  "POST /rest/v1/sent_waivers": { status: 201 },
  "POST /rest/v1/rpc/note_failed_sending": { status: 204 },
  "POST /functions/v1/send-email": { body: { id: "m1", status: "delivered" } },
};
