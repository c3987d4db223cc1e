import { Eye, Send } from "lucide-react";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import type { Template } from "../model";

type Props = {
  templates: Template[];
  onView: (template: Template) => void;
  onSend: (template: Template) => void;
};

export function TemplateGrid({ templates, onView, onSend }: Props) {
  return (
    <ul className="grid grid-cols-1 gap-5 md:grid-cols-2 lg:grid-cols-3">
      {templates.map((template) => (
        <li key={template.id}>
          <TemplateCard template={template} onView={() => onView(template)} onSend={() => onSend(template)} />
        </li>
      ))}
    </ul>
  );
}

type CardProps = { template: Template; onView: () => void; onSend: () => void };

function TemplateCard({ template: { name, description, content, isSample }, onView, onSend }: CardProps) {
  return (
    <Card className="flex h-full flex-col overflow-hidden">
      {/* A first glance at the page itself; View shows it properly. */}
      <div aria-hidden className="h-28 overflow-hidden border-b border-line bg-sunken/60 px-5 pt-5">
        <p className="h-full rounded-t-lg border border-b-0 border-line bg-surface px-4 pt-3 text-[0.6875rem] leading-relaxed whitespace-pre-line text-ink-soft">
          {content.replaceAll(/^#+ /gm, "").slice(0, 220) || "This template has no text yet."}
        </p>
      </div>
      <div className="flex grow flex-col p-5">
        <div className="flex items-start justify-between gap-3">
          <h2 dir="auto" className="font-semibold break-words">
            {name}
          </h2>
          {isSample && <Badge>Sample</Badge>}
        </div>
        <p dir="auto" className="mt-1 mb-5 line-clamp-3 text-[0.9375rem] text-ink-soft">
          {description || "No description"}
        </p>
        <div className="mt-auto flex gap-2.5">
          <Button variant="secondary" size="sm" className="grow" onClick={onView} aria-label={`View ${name}`}>
            <Eye aria-hidden /> View
          </Button>
          <Button variant="secondary" size="sm" className="grow" onClick={onSend} aria-label={`Send ${name}`}>
            <Send aria-hidden /> Send
          </Button>
        </div>
      </div>
    </Card>
  );
}
