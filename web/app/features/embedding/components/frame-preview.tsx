import { CloudOff } from "lucide-react";
import { useReach } from "~/lib/use-reach";
import { Notice } from "~/ui/notice";

/** The frame itself. Nothing in it can be pressed: a signature tried out here would be a real one. */
export function FramePreview({ path, name }: { path: string; name: string }) {
  if (useReach() !== "online")
    return (
      <Notice icon={CloudOff}>The preview is the real page, and appears again when the server does.</Notice>
    );
  return (
    <div inert className="overflow-hidden rounded-control border border-line">
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, as it stands in the snippet */}
      <iframe key={path} src={path} title={`Preview of ${name}`} className="block h-140 w-full" />
    </div>
  );
}
