import { ArrowLeft } from "lucide-react";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { focusElement } from "~/ui/focus-element";
import { takesAnswer } from "../questions";
import { coverageText, type StartingTemplate } from "../starting-templates";
import type { RenderText } from "./template-form";

type Props = { template: StartingTemplate; renderText: RenderText; onBack: () => void; onUse: () => void };

export function StartingTemplatePreview({ template, renderText, onBack, onUse }: Props) {
  const { name, description, lawyer, content, form } = template;
  return (
    <section aria-label="Preview of the template">
      <div className="flex flex-wrap items-center gap-3">
        <h3 tabIndex={-1} ref={focusElement} className="text-xl font-semibold outline-none">
          {name}
        </h3>
        <Badge tone="amber">Draft</Badge>
      </div>
      <p className="mt-1 text-muted">{description}</p>
      <p className="mt-3 text-sm">
        <strong className="font-semibold">Ask your lawyer:</strong> {lawyer}
      </p>
      <div className="mt-4 rounded-control border border-line bg-ground p-5">{renderText(content)}</div>
      <Questions form={form} />
      <DialogActions>
        <Button variant="secondary" onClick={onBack}>
          <ArrowLeft aria-hidden /> Back to the gallery
        </Button>
        <Button onClick={onUse}>Use this template</Button>
      </DialogActions>
    </section>
  );
}

function Questions({ form }: { form: StartingTemplate["form"] }) {
  return (
    <section aria-labelledby="template-questions" className="mt-5">
      <h4 id="template-questions" className="font-semibold">
        Questions for the guest
      </h4>
      <ul className="mt-2 list-disc ps-5 text-sm">
        {form.questions.filter(takesAnswer).map(({ label }) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">{coverageText(form)} You can change all of this.</p>
    </section>
  );
}
