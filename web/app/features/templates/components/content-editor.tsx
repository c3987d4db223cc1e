import { useRef, type KeyboardEvent } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "~/ui/field";
import { Textarea } from "~/ui/input";
import { MAX_CONTENT_LENGTH } from "../draft";
import { applyEdit } from "../formatting";
import { INITIALS, unknownPlaceholders } from "../placeholders";
import { bold, FormattingToolbar, italic, type Change } from "./formatting-toolbar";

type Props = {
  field: UseFormRegisterReturn;
  content: string;
  error: string | undefined;
  /** Whether guests are asked for initials at each [INITIALS] in the text. */
  asksForInitials: boolean;
  onInitials: () => void;
};

/** Edits the Markdown of the waiver in a plain text field with a formatting toolbar. */
export function ContentEditor({ field, content, error, asksForInitials, onInitials }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const apply = (change: Change) => {
    if (!area.current) return;
    const { value: text, selectionStart: start, selectionEnd: end } = area.current;
    applyEdit(area.current, change({ text, start, end }));
  };
  const handleShortcut = (event: KeyboardEvent) => {
    const change = event.ctrlKey || event.metaKey ? SHORTCUTS[event.key.toLowerCase()] : undefined;
    if (!change) return;
    event.preventDefault();
    apply(change);
  };
  return (
    <Field
      label="Waiver Content"
      hint={<Hint content={content} asksForInitials={asksForInitials} />}
      error={error}
    >
      {(control) => (
        <div>
          <FormattingToolbar textFieldId={control.id} onChange={apply} onInitials={onInitials} />
          <Textarea
            {...control}
            {...field}
            ref={(element) => {
              field.ref(element);
              area.current = element;
            }}
            rows={14}
            dir="auto"
            onKeyDown={handleShortcut}
            className="rounded-t-none font-mono text-sm"
          />
        </div>
      )}
    </Field>
  );
}

const SHORTCUTS: Partial<Record<string, Change>> = { b: bold, i: italic };

const MIN_LENGTH_TO_SHOW_COUNT = 0.75 * MAX_CONTENT_LENGTH;

function Hint({ content, asksForInitials }: Pick<Props, "content" | "asksForInitials">) {
  const unknownNames = unknownPlaceholders(content, asksForInitials);
  return (
    <>
      <code className="text-foreground">[PARTICIPANT NAME]</code> and{" "}
      <code className="text-foreground">[COMPANY NAME]</code> are placeholders: they are filled in when the
      waiver is signed.
      {asksForInitials && content.includes(INITIALS) && (
        <>
          {" "}
          At each <code className="text-foreground">[INITIALS]</code> guests enter their initials.
        </>
      )}
      {unknownNames.length > 0 && (
        <strong className="mt-1 block font-medium text-amber-text">
          {unknownNames.slice(0, 3).join(", ")}{" "}
          {unknownNames.length > 1
            ? "are not placeholders. Guests will see them exactly as typed."
            : "is not a placeholder. Guests will see it exactly as typed."}
        </strong>
      )}
      {content.length > MIN_LENGTH_TO_SHOW_COUNT && (
        <span className="mt-1 block tabular-nums">
          {content.length.toLocaleString("en")} of {MAX_CONTENT_LENGTH.toLocaleString("en")} characters
        </span>
      )}
    </>
  );
}
