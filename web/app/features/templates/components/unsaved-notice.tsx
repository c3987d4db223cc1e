import { History } from "lucide-react";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";

/** Explains that the form shows unsaved changes instead of the saved template. */
export function UnsavedNotice(props: { at: string; isOutdated: boolean; onDiscard: () => void }) {
  const { at, isOutdated, onDiscard } = props;
  return (
    <div className="mb-5">
      <Notice
        icon={History}
        title="Not saved yet."
        action={
          <Button variant="ghost" size="sm" onClick={onDiscard}>
            Discard changes
          </Button>
        }
      >
        These are your changes from <RelativeTime at={at} />, kept in this browser.
        {isOutdated && " The template has been saved since then: saving makes yours the newest version."}
      </Notice>
    </div>
  );
}
