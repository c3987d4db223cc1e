import { WaiverText } from "~/features/signing/waiver-text";
import type { SignedRecord } from "~/features/waivers/api/signed-waiver";
import { SignedWaiverDialog } from "~/features/waivers/components/signed-waiver-dialog";

// Each placeholder is replaced by itself, so that the text is shown exactly as it was signed.
const UNCHANGED_NAMES = { participant: "[PARTICIPANT NAME]", company: "[COMPANY NAME]" };

export default function SignedWaiver({ waiver, onClose }: { waiver: SignedRecord; onClose: () => void }) {
  return (
    <SignedWaiverDialog waiver={waiver} onClose={onClose}>
      <WaiverText content={waiver.content} names={UNCHANGED_NAMES} headingLevel={3} />
    </SignedWaiverDialog>
  );
}
