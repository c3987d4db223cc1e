import { cx } from "class-variance-authority";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";

const WIDTHS = { md: "sm:max-w-lg", lg: "sm:max-w-3xl", xl: "sm:max-w-6xl" } as const;

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  size?: keyof typeof WIDTHS;
  children: ReactNode;
};

/**
 * The dialog is a sheet at the bottom on phones and a centered window elsewhere. The title stays while the body
 * scrolls.
 */
export function Dialog({ open, onClose, title, description, size = "md", children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-black/45" />
        <Radix.Content
          // With an explicit undefined, Radix does not warn about the missing description.
          {...(!description && { "aria-describedby": undefined })}
          // Focus the dialog, so that screen readers announce its title. By default Radix focuses the close button.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          className={cx(
            "fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] overflow-clip animate-rise flex-col rounded-t-2xl border border-line bg-surface shadow-lift outline-none sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[86dvh] sm:w-[calc(100%-3rem)] sm:rounded-2xl",
            WIDTHS[size],
          )}
        >
          <header className="flex items-center gap-4 border-b border-line px-5 py-4 sm:px-6">
            <div className="min-w-0 grow wrap-break-word">
              <Radix.Title className="text-lg leading-snug font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close" className="-me-2">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </header>
          {/* `relative` makes visually hidden elements scroll with the body; otherwise they enlarge the dialog. */}
          <div className="relative flex min-h-0 grow flex-col overflow-y-auto overscroll-contain px-5 py-5 sm:px-6">
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Keeps the actions of a dialog visible below the scrolling body. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 -mx-5 mt-6 -mb-5 flex flex-col-reverse gap-3 border-t border-line bg-surface px-5 py-4 sm:-mx-6 sm:flex-row sm:justify-end sm:px-6">
      {children}
    </div>
  );
}
