import { UsersRound } from "lucide-react";
import { Notice } from "~/ui/notice";

/** Tells the user that someone else saved the template while it was being edited. */
export function NewerVersionNotice({ version }: { version: number }) {
  return (
    <div role="status" className="mb-5">
      <Notice tone="amber" icon={UsersRound} title={`Version ${version} was saved in the meantime.`}>
        Someone else at your company saved this template while you were editing. Your text is still here:
        saving makes it the newest version, and theirs stays in the history.
      </Notice>
    </div>
  );
}
