import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import type { Offer } from "../model";

type Props = { offers: Offer[]; chosen: string; onChoose: (id: string) => void };

export function TemplateChoice({ offers, chosen, onChoose }: Props) {
  const own = offers.filter(({ isSample }) => !isSample);
  const samples = offers.filter(({ isSample }) => isSample);
  return (
    <Field label="Template" hint="Everyone who opens the frame signs a waiver of their own from it.">
      {(control) => (
        <Select {...control} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          {own.length > 0 && <Group label="Your templates" offers={own} />}
          {samples.length > 0 && <Group label="Samples" offers={samples} />}
        </Select>
      )}
    </Field>
  );
}

function Group({ label, offers }: { label: string; offers: Offer[] }) {
  return (
    <optgroup label={label}>
      {offers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
