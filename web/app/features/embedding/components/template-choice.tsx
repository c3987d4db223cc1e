import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import type { EmbeddableTemplate } from "../model";

type Props = { templates: EmbeddableTemplate[]; selectedId: string; onSelect: (id: string) => void };

export function TemplateChoice({ templates, selectedId, onSelect }: Props) {
  const ownTemplates = templates.filter(({ isSample }) => !isSample);
  const samples = templates.filter(({ isSample }) => isSample);
  return (
    <Field label="Template" hint="Everyone who opens the frame signs their own waiver.">
      {(control) => (
        <Select {...control} value={selectedId} onChange={(event) => onSelect(event.target.value)}>
          {ownTemplates.length > 0 && <Group label="Your templates" templates={ownTemplates} />}
          {samples.length > 0 && <Group label="Samples" templates={samples} />}
        </Select>
      )}
    </Field>
  );
}

function Group({ label, templates }: { label: string; templates: EmbeddableTemplate[] }) {
  return (
    <optgroup label={label}>
      {templates.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
