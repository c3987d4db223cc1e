import { Bold, Heading, Italic, List, ListOrdered, Plus, type LucideIcon } from "lucide-react";
import { Toolbar as Radix } from "radix-ui";
import {
  toggleBullets,
  toggleEmphasis,
  toggleHeading,
  toggleNumbers,
  insertText,
  type Edit,
  type Selection,
} from "../formatting";
import { INITIALS, PLACEHOLDERS } from "../placeholders";

/** Computes the edit that a button makes, from the text and its selection. */
export type Change = (selection: Selection) => Edit;

export const bold: Change = (selection) => toggleEmphasis(selection, "**", "bold text");
export const italic: Change = (selection) => toggleEmphasis(selection, "_", "italic text");

const TOOLS: { name: string; icon: LucideIcon; change: Change }[] = [
  { name: "Heading", icon: Heading, change: toggleHeading },
  { name: "Bold", icon: Bold, change: bold },
  { name: "Italic", icon: Italic, change: italic },
  { name: "List", icon: List, change: toggleBullets },
  { name: "Numbered list", icon: ListOrdered, change: toggleNumbers },
];

const INSERTED_TEXTS = [...PLACEHOLDERS, { label: "Initials", text: INITIALS }];

type Props = { textFieldId: string; onChange: (change: Change) => void; onInitials: () => void };

/** The Tab key moves only to the toolbar as a whole. The arrow keys move between its buttons. */
export function FormattingToolbar({ textFieldId, onChange, onInitials }: Props) {
  return (
    <Radix.Root
      aria-label="Formatting"
      aria-controls={textFieldId}
      className="flex flex-wrap items-center gap-x-1 gap-y-1.5 rounded-t-control border border-b-0 border-edge bg-sunken/60 p-1.5"
    >
      {TOOLS.map(({ name, icon: Icon, change }) => (
        <Radix.Button
          key={name}
          type="button"
          aria-label={name}
          title={name}
          onClick={() => onChange(change)}
          className="grid size-11 place-items-center rounded-lg text-muted hover:bg-surface hover:text-foreground md:size-9 [&_svg]:size-4.5"
        >
          <Icon aria-hidden />
        </Radix.Button>
      ))}
      <Radix.Separator className="mx-1 h-6 w-px bg-line max-sm:hidden" />
      {INSERTED_TEXTS.map(({ label, text }) => (
        <Radix.Button
          key={text}
          type="button"
          aria-label={`Insert ${text}`}
          onClick={() => {
            onChange((selection) => insertText(selection, text));
            if (text === INITIALS) onInitials();
          }}
          className="inline-flex h-11 items-center gap-1 rounded-full bg-forest-soft px-3 text-sm font-medium text-forest-text hover:bg-forest hover:text-on-forest md:h-8 [&_svg]:size-3.5"
        >
          <Plus aria-hidden />
          {label}
        </Radix.Button>
      ))}
    </Radix.Root>
  );
}
