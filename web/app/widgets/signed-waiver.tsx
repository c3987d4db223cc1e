import { WaiverText } from "~/features/signing/waiver-text";
import type { SignedRecord } from "~/features/waivers/api/signed-waiver";
import { SignedWaiverDialog } from "~/features/waivers/components/signed-waiver-dialog";

// Shows the text exactly as signed: each placeholder is "filled" with itself, so a name that looks like one stays.
const AS_SIGNED = { participant: "[PARTICIPANT NAME]", company: "[COMPANY NAME]" };

export default function SignedWaiver({ waiver, onClose }: { waiver: SignedRecord; onClose: () => void }) {
  return (
    <SignedWaiverDialog waiver={waiver} onClose={onClose}>
      <WaiverText content={waiver.content} names={AS_SIGNED} headingLevel={3} />
    </SignedWaiverDialog>
  );
}
