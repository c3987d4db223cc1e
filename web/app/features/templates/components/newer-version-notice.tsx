import { UsersRound } from "lucide-react";
import { Notice } from "~/ui/notice";

/** Says that a newer version was saved while the user was editing, by a colleague or by the user in another tab. */
export function NewerVersionNotice({ version }: { version: number }) {
  return (
    <div role="status" className="mb-5">
      <Notice tone="amber" icon={UsersRound} title={`Version ${version} was saved in the meantime.`}>
        A colleague saved this template while you were editing, or you saved it in another tab. Your text is
        still here: saving makes it the newest version, and version {version} stays in the history.
      </Notice>
    </div>
  );
}
