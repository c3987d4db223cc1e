import { useRef, type KeyboardEvent } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "~/ui/field";
import { Textarea } from "~/ui/input";
import { LONGEST_CONTENT } from "../draft";
import { applyEdit } from "../formatting";
import { unknownPlaceholders } from "../placeholders";
import { bold, FormattingToolbar, italic, type Change } from "./formatting-toolbar";

type Props = { field: UseFormRegisterReturn; content: string; error: string | undefined };

/** The waiver's words as they are stored, with the few signs that shape them within reach. */
export function ContentEditor({ field, content, error }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const change = (make: Change) => {
    if (!area.current) return;
    const { value: text, selectionStart: start, selectionEnd: end } = area.current;
    applyEdit(area.current, make({ text, start, end }));
  };
  const shortcut = (event: KeyboardEvent) => {
    const make = event.ctrlKey || event.metaKey ? SHORTCUTS[event.key.toLowerCase()] : undefined;
    if (!make) return;
    event.preventDefault();
    change(make);
  };
  return (
    <Field label="Waiver Content" hint={<Hint content={content} />} error={error}>
      {(control) => (
        <div>
          <FormattingToolbar controls={control.id} onChange={change} />
          <Textarea
            {...control}
            {...field}
            ref={(element) => {
              field.ref(element);
              area.current = element;
            }}
            rows={14}
            dir="auto"
            onKeyDown={shortcut}
            className="rounded-t-none font-mono text-sm"
          />
        </div>
      )}
    </Field>
  );
}

const SHORTCUTS: Partial<Record<string, Change>> = { b: bold, i: italic };

const TOLD_FROM = 0.75 * LONGEST_CONTENT;

function Hint({ content }: { content: string }) {
  const unknown = unknownPlaceholders(content);
  return (
    <>
      <code className="text-foreground">[PARTICIPANT NAME]</code> and{" "}
      <code className="text-foreground">[COMPANY NAME]</code> are placeholders: they are filled in when the
      waiver is signed.
      {unknown.length > 0 && (
        <strong className="mt-1 block font-medium text-amber-text">
          {unknown.slice(0, 3).join(", ")} {unknown.length > 1 ? "are no placeholders" : "is no placeholder"}{" "}
          and will be shown as written.
        </strong>
      )}
      {content.length > TOLD_FROM && (
        <span className="mt-1 block tabular-nums">
          {content.length.toLocaleString("en")} of {LONGEST_CONTENT.toLocaleString("en")} characters
        </span>
      )}
    </>
  );
}
