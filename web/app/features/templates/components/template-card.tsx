import { Eye, FileText, Send } from "lucide-react";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { isBlank, type Template } from "../model";
import { TemplateMenu, type MenuActions } from "./template-menu";

type Act = (template: Template) => void;
export type CardActions = MenuActions & { view: Act; send: Act; sendPdf: Act };

export function TemplateCard({ template, actions }: { template: Template; actions: CardActions }) {
  const { name, description, content, isSample } = template;
  return (
    <Card className="flex h-full flex-col overflow-hidden">
      {/* A first glance at the page itself; View shows it properly. */}
      <div aria-hidden className="h-28 overflow-hidden border-b border-line bg-sunken/60 px-5 pt-5">
        <p className="h-full rounded-t-lg border border-b-0 border-line bg-surface px-4 pt-3 text-[0.6875rem] leading-relaxed whitespace-pre-line text-muted">
          {content.replaceAll(/^#+ |\*\*/gm, "").slice(0, 220) || "This template has no text yet."}
        </p>
      </div>
      <div className="flex grow flex-col p-5">
        <div className="flex items-start gap-2">
          <h2 dir="auto" className="min-w-0 grow font-semibold wrap-break-word">
            {name}
          </h2>
          {isSample && <Badge>Sample</Badge>}
          <TemplateMenu template={template} actions={actions} />
        </div>
        <p dir="auto" className="mt-1 mb-5 line-clamp-3 text-[0.9375rem] text-muted">
          {description || "No description"}
        </p>
        <div className="mt-auto flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="sm"
            className="grow"
            onClick={() => actions.view(template)}
            aria-label={`View ${name}`}
          >
            <Eye aria-hidden /> View
          </Button>
          <Button
            variant="secondary"
            size="sm"
            className="grow"
            disabled={isBlank(template)}
            onClick={() => actions.send(template)}
            aria-label={`Send ${name}`}
          >
            <Send aria-hidden /> Send
          </Button>
          <Button
            variant="secondary"
            size="sm"
            className="grow"
            disabled={isBlank(template)}
            onClick={() => actions.sendPdf(template)}
            aria-label={`Send PDF of ${name}`}
          >
            <FileText aria-hidden /> PDF
          </Button>
        </div>
      </div>
    </Card>
  );
}
