import { UsersRound } from "lucide-react";
import { Notice } from "~/ui/notice";

/** Somebody else was quicker; nothing of either is lost, and the writer decides. */
export function OvertakenNotice({ version }: { version: number }) {
  return (
    <div role="status" className="mb-5">
      <Notice tone="amber" icon={UsersRound} title={`Version ${version} was saved meanwhile.`}>
        Somebody else of your company saved this template while you were editing. Your text is still here:
        saving makes it the newest version, and theirs stays in the history.
      </Notice>
    </div>
  );
}
