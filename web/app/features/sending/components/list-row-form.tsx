import { useState } from "react";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/field";
import { Form } from "~/ui/form";
import { InputField } from "~/ui/input-field";
import type { Listed } from "../list/build-rows";

type Props = {
  row: Listed & { number: number };
  withPhoneNumbers: boolean;
  saveLabel: string;
  problem?: string | undefined;
  isBusy?: boolean;
  onSave: (listed: Listed) => void;
  onCancel: () => void;
};

export function ListRowForm({
  row,
  withPhoneNumbers,
  saveLabel,
  problem,
  isBusy = false,
  onSave,
  onCancel,
}: Props) {
  const [listed, setListed] = useState<Listed>({ name: row.name, email: row.email, phone: row.phone });
  const change = (fields: Partial<Listed>) => setListed({ ...listed, ...fields });
  return (
    <Form onSubmit={() => onSave(listed)} aria-label={`Row ${row.number}`} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <InputField
          label="Name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
          autoFocus
          autoComplete="off"
          dir="auto"
          value={listed.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <InputField
          label="Email"
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={listed.email}
          onChange={({ target }) => change({ email: target.value })}
        />
        {withPhoneNumbers && (
          <InputField
            label="Mobile number"
            type="tel"
            autoComplete="off"
            value={listed.phone}
            onChange={({ target }) => change({ phone: target.value })}
          />
        )}
      </div>
      {problem && <FieldError>{problem}</FieldError>}
      <div className="flex gap-2">
        <Button type="submit" size="sm" busy={isBusy}>
          {saveLabel}
        </Button>
        <Button variant="ghost" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
