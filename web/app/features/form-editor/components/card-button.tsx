import type { LucideIcon } from "lucide-react";
import { useLayoutEffect, useRef } from "react";

type Props = { label: string; icon: LucideIcon; isDisabled?: boolean; onClick: () => void };

/**
 * A button of a question. It keeps the focus when its question moves, although the browser takes the focus from an
 * element that is moved, and when it can no longer be used.
 */
export function CardButton({ label, icon: Icon, isDisabled = false, onClick }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    if (wasPressed.current) button.current?.focus();
    wasPressed.current = false;
  });
  return (
    <button
      ref={button}
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled || undefined}
      onClick={() => {
        if (isDisabled) return;
        wasPressed.current = true;
        onClick();
      }}
      className="grid size-11 scroll-mt-6 scroll-mb-44 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-foreground aria-disabled:cursor-not-allowed aria-disabled:opacity-40 md:size-9 [&_svg]:size-4.5"
    >
      <Icon aria-hidden />
    </button>
  );
}
