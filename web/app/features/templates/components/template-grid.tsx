import type { Template } from "../model";
import { TemplateCard, type CardActions } from "./template-card";

type Props = { templates: Template[]; actions: CardActions };

export function TemplateGrid({ templates, actions }: Props) {
  return (
    <ul className="grid grid-cols-1 gap-5 md:grid-cols-2 lg:grid-cols-3">
      {templates.map((template) => (
        <li key={template.id}>
          <TemplateCard template={template} actions={actions} />
        </li>
      ))}
    </ul>
  );
}
