import { ChevronRight, RotateCcw } from "lucide-react";
import type { TemplateVersionRow } from "~/lib/database";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { RelativeTime } from "~/ui/relative-time";
import type { RenderText } from "./template-form";

export type Version = Omit<TemplateVersionRow, "company_id" | "saved_by">;

type Props = {
  version: Version;
  isNewest: boolean;
  /** How the questions differ from those of the version before. */
  formChange: string | null;
  isOpen: boolean;
  isBusy: boolean;
  renderText: RenderText;
  onToggle: () => void;
  onRestore: () => void;
};

export function VersionRow(props: Props) {
  const { version, isNewest, formChange, isOpen, isBusy, renderText, onToggle, onRestore } = props;
  const { version: number, name, content, saved_at, saved_by_name } = version;
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-11 items-center gap-2 rounded-lg pe-2 font-medium"
        >
          <ChevronRight
            className={`size-4.5 transition-transform ${isOpen ? "rotate-90" : ""}`}
            aria-hidden
          />
          Version {number}
        </button>
        {isNewest && <Badge tone="forest">Current</Badge>}
        {formChange && <Badge>{formChange}</Badge>}
        <p className="grow text-sm text-muted max-sm:basis-full max-sm:ps-6.5">
          <RelativeTime at={saved_at} />
          {saved_by_name && <span dir="auto"> by {saved_by_name}</span>}
        </p>
        {!isNewest && (
          <Button
            variant="secondary"
            size="sm"
            disabled={isBusy}
            onClick={onRestore}
            aria-label={`Restore version ${number}`}
          >
            <RotateCcw aria-hidden /> Restore
          </Button>
        )}
      </div>
      {isOpen && (
        <section aria-label={`Text of version ${number}`} className="border-t border-line bg-ground p-5">
          <h3 dir="auto" className="mb-3 text-sm text-muted">
            {name}
          </h3>
          {content ? renderText(content) : <p className="text-muted">No content available</p>}
        </section>
      )}
    </li>
  );
}
