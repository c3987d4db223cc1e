import type { LucideIcon } from "lucide-react";

type Props = { label: string; icon: LucideIcon; isDisabled?: boolean; onClick: () => void };

/**
 * A button of a question card. `isDisabled` sets `aria-disabled` and not `disabled`, because a disabled
 * button would lose the focus.
 */
export function CardButton({ label, icon: Icon, isDisabled = false, onClick }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? undefined : onClick}
      className="grid size-11 scroll-mt-6 scroll-mb-44 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-foreground aria-disabled:cursor-not-allowed aria-disabled:opacity-40 md:size-9 [&_svg]:size-4.5"
    >
      <Icon aria-hidden />
    </button>
  );
}
