import { lazy, Suspense, useState } from "react";
import { useNavigate } from "react-router";
import { useFetchSignedWaiver, type SignedRecord } from "~/features/waivers/api/signed-waiver";
import { connectionState } from "~/lib/connection";
import { paths } from "~/paths";
import { toast } from "~/ui/toast-store";

const SignedWaiver = lazy(() => import("./signed-waiver"));

/** A signed waiver contains personal data, so it is never stored on the device. */
const NOT_AVAILABLE_OFFLINE_TOAST = {
  title: "You are offline",
  description: "Signed waivers are not kept on this device. This one opens when you are back.",
};

/** Opens the signed waiver in a dialog. If the session is not signed, or cannot be read, its page is opened instead. */
export function useViewSignedWaiver() {
  const [waiver, setWaiver] = useState<SignedRecord | null>(null);
  const fetchWaiver = useFetchSignedWaiver();
  const navigate = useNavigate();

  const view = async (sessionId: string) => {
    if (connectionState() === "offline") return toast(NOT_AVAILABLE_OFFLINE_TOAST);
    try {
      const signedWaiver = await fetchWaiver(sessionId);
      if (signedWaiver) setWaiver(signedWaiver);
      else await navigate(paths.directoryWaiver(sessionId));
    } catch {
      toast({ title: "Error", description: "Failed to load waiver details", destructive: true });
      await navigate(paths.directoryWaiver(sessionId));
    }
  };
  const dialog = (
    <Suspense>{waiver && <SignedWaiver waiver={waiver} onClose={() => setWaiver(null)} />}</Suspense>
  );
  return { view, dialog };
}
