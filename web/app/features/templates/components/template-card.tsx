import { Eye, FileText, Send } from "lucide-react";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { isBlank, type Template } from "../model";
import { CardButton } from "./card-button";
import { TemplateMenu, type MenuActions } from "./template-menu";

type TemplateHandler = (template: Template) => void;
export type CardActions = MenuActions & {
  view: TemplateHandler;
  send: TemplateHandler;
  sendPdf: TemplateHandler;
};

const EXCERPT_LENGTH = 220;
/** The excerpt is shown without these marks. */
const HEADING_AND_BOLD_MARKS = /^#+ |\*\*/gm;

export function TemplateCard({ template, actions }: { template: Template; actions: CardActions }) {
  const { name, description, content, isSample } = template;
  const disabled = isBlank(template);
  const buttons = [
    { icon: Eye, label: "View", name: `View ${name}`, action: actions.view },
    { icon: Send, label: "Send", name: `Send ${name}`, action: actions.send, disabled },
    { icon: FileText, label: "PDF", name: `Send PDF of ${name}`, action: actions.sendPdf, disabled },
  ];
  return (
    <Card className="flex h-full flex-col overflow-hidden">
      {/* The card shows the beginning of the text. View shows all of it. */}
      <div aria-hidden className="h-28 overflow-hidden border-b border-line bg-sunken/60 px-5 pt-5">
        <p className="h-full rounded-t-lg border border-b-0 border-line bg-surface px-4 pt-3 text-[0.6875rem] leading-relaxed whitespace-pre-line text-muted">
          {content.replaceAll(HEADING_AND_BOLD_MARKS, "").slice(0, EXCERPT_LENGTH) ||
            "This template has no text yet."}
        </p>
      </div>
      <div className="flex grow flex-col p-5">
        <div className="flex items-start gap-2">
          <div className="min-w-0 grow">
            <h2 dir="auto" className="font-semibold wrap-break-word">
              {name}
            </h2>
            {isSample && (
              <p className="mt-1.5">
                <Badge>Sample</Badge>
              </p>
            )}
          </div>
          <TemplateMenu template={template} actions={actions} />
        </div>
        <p dir="auto" className="mt-1 mb-5 line-clamp-3 text-[0.9375rem] text-muted">
          {description || "No description"}
        </p>
        <div className="mt-auto flex flex-wrap gap-2">
          {buttons.map(({ action, ...button }) => (
            <CardButton key={button.label} className="grow" onClick={() => action(template)} {...button} />
          ))}
        </div>
      </div>
    </Card>
  );
}
