import { Plus, X } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { cleanText } from "~/lib/waiver-form/clean-text";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/field";
import { InputField } from "~/ui/input-field";
import type { CardActions } from "../card-actions";
import type { Item } from "../edited-form";
import { keyFor } from "../keys";
import { MAX_OPTIONS } from "../problems";

type Props = { item: Item; problemAt: (field: string) => string | undefined; actions: CardActions };

export function OptionFields({ item, problemAt, actions }: Props) {
  const { question } = item;
  const options = question.options ?? [];
  const [addedCount, setAddedCount] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (addedCount > 0) [...(list.current?.querySelectorAll("input") ?? [])].at(-1)?.focus();
  }, [addedCount]);
  const add = () => {
    const values = new Set(options.map(({ value }) => value));
    const value = keyFor("", `option_${options.length + 1}`, values);
    actions.change(item, { ...question, options: [...options, { value, label: "" }] });
    setAddedCount(addedCount + 1);
  };
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">Options</legend>
      <div ref={list} className="flex flex-col gap-3">
        {options.map(({ label }, index) => (
          // The value changes while the label is typed, so it cannot be the key.
          <div key={index} className="flex items-end gap-1">
            <div className="min-w-0 grow">
              <InputField
                label={`Option ${index + 1}`}
                dir="auto"
                value={label}
                error={problemAt(`option-${index}`)}
                onChange={({ target }) => actions.changeOption(item, index, cleanText(target.value))}
              />
            </div>
            <Button
              variant="ghost"
              size="icon"
              className="md:size-11"
              aria-label={`Remove option ${index + 1}`}
              onClick={() => actions.change(item, { ...question, options: options.toSpliced(index, 1) })}
            >
              <X aria-hidden />
            </Button>
          </div>
        ))}
      </div>
      {problemAt("options") && <FieldError>{problemAt("options")}</FieldError>}
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        disabled={options.length >= MAX_OPTIONS}
        onClick={add}
      >
        <Plus aria-hidden /> Add option
      </Button>
    </fieldset>
  );
}
