import { Ban, Eraser, Lock } from "lucide-react";
import { exactTime } from "~/lib/dates";
import { Notice } from "~/ui/notice";
import type { SignedRecord } from "../api/signed-waiver";

/** Says that a signed waiver was revoked, is on hold, or was erased. Shows nothing for any other waiver. */
export function WaiverNotices({ waiver }: { waiver: SignedRecord }) {
  if (waiver.erased_at) {
    return (
      <Notice tone="stone" icon={Eraser} title="Erased">
        on {exactTime(new Date(waiver.erased_at))}. The person who signed is no longer known here. The history
        shows why, and it can still be verified.
      </Notice>
    );
  }
  return (
    <>
      {waiver.revoked_at && (
        <Notice tone="red" icon={Ban} title={waiver.superseded_by ? "Superseded" : "Revoked"}>
          on {exactTime(new Date(waiver.revoked_at))}: {waiver.revoke_reason}
        </Notice>
      )}
      {waiver.held_since && (
        <Notice tone="amber" icon={Lock} title="On legal hold">
          since {exactTime(new Date(waiver.held_since))}. It cannot be erased.
        </Notice>
      )}
    </>
  );
}
