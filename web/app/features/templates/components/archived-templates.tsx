import { ArchiveRestore, ChevronRight, Eye } from "lucide-react";
import { Card } from "~/ui/card";
import { RelativeTime } from "~/ui/relative-time";
import { RowText } from "~/ui/row-text";
import type { Template } from "../model";
import { CardButton } from "./card-button";

type TemplateHandler = (template: Template) => void;
type Props = { templates: Template[]; onView: TemplateHandler; onRestore: TemplateHandler };

export function ArchivedTemplates({ templates, onView, onRestore }: Props) {
  if (templates.length === 0) return null;
  return (
    <details className="group">
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 rounded font-medium text-muted hover:text-foreground">
        <ChevronRight className="size-4.5 transition-transform group-open:rotate-90" aria-hidden />
        Archived ({templates.length})
      </summary>
      <Card className="mt-2">
        <ul className="divide-y divide-line">
          {templates.map((template) => (
            <li key={template.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
              <RowText name={template.name} className="basis-48">
                <p className="text-sm text-muted">
                  Archived <RelativeTime at={template.archivedAt} />
                </p>
              </RowText>
              <div className="flex gap-2">
                <CardButton
                  icon={Eye}
                  label="View"
                  name={`View ${template.name}`}
                  onClick={() => onView(template)}
                />
                <CardButton
                  icon={ArchiveRestore}
                  label="Restore"
                  name={`Restore ${template.name}`}
                  onClick={() => onRestore(template)}
                />
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </details>
  );
}
