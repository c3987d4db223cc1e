import { CloudOff } from "lucide-react";
import { useConnectionState } from "~/lib/use-connection-state";
import { Notice } from "~/ui/notice";

/** Shows the real signing page. It ignores clicks, because a signature on it would be real. */
export function FramePreview({ path, name }: { path: string; name: string }) {
  if (useConnectionState() !== "online")
    return (
      <Notice icon={CloudOff}>
        The preview is the real page. It appears again when the server can be reached.
      </Notice>
    );
  return (
    <div inert className="overflow-hidden rounded-control border border-line">
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, exactly as in the snippet */}
      <iframe key={path} src={path} title={`Preview of ${name}`} className="block h-140 w-full" />
    </div>
  );
}
