import { beforeEach, expect, test } from "vitest";
import { listRow } from "~/../testing/list-run";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { correctListed } from "./correct-listed";

const CANCEL = "POST /rest/v1/rpc/cancel_waiver";
const ANA = { name: "Ana Ortiz", email: "ana@example.com", phone: "" };
const failed = listRow(1, { isStored: true, outcome: { result: "failed", reason: "Mailbox full" } });

const refusal = (code: string) => ({
  [CANCEL]: {
    status: 400,
    body: { code: "PT400", message: code, details: `{"code": "${code}", "parameters": {}}` },
  },
});

beforeEach(() => signInAs(ROSA));

test("APP-42 the corrected row has new ids, and the waiver with the wrong recipient is cancelled", async () => {
  const requests = serve({ [CANCEL]: { status: 204 } });

  const row = await correctListed(failed, ANA);

  expect(row).toMatchObject({ ...ANA, number: 1, isStored: false, outcome: null });
  for (const id of ["sessionId", "sendingId", "idempotencyKey"] as const)
    expect(row[id]).not.toBe(failed[id]);
  expect(requests.map(({ body }) => body)).toMatchObject([{ session_id: "session-1" }]);
});

test("APP-42 a waiver that was never stored needs no cancellation", async () => {
  const requests = serve({});

  expect(await correctListed({ ...failed, isStored: false }, ANA)).toMatchObject({ ...ANA, outcome: null });
  expect(requests).toEqual([]);
});

test("APP-42 a repeated correction finds the waiver cancelled, and other refusals are reported", async () => {
  serve(refusal("waiver_cancelled"));
  expect(await correctListed(failed, ANA)).toMatchObject(ANA);

  serve(refusal("waiver_already_signed"));
  await expect(correctListed(failed, ANA)).rejects.toThrow(/signed/);
});
