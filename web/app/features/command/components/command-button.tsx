import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState, type ComponentProps } from "react";
import { opensPalette, shortcutLabel } from "../model";

const CommandPalette = lazy(() => import("./command-palette"));

type Props = Pick<
  ComponentProps<typeof CommandPalette>,
  "pages" | "actions" | "onSelectWaiver" | "onShowAll"
>;

/** Opens the command palette, which is loaded on first use. */
export function CommandButton(props: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!opensPalette(event)) return;
      event.preventDefault();
      setOpen((isOpen) => !isOpen);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="flex size-11 items-center justify-center gap-2.5 rounded-control text-muted transition-colors hover:bg-sunken hover:text-foreground md:h-10 md:w-72 md:justify-start md:border md:border-line md:bg-surface md:px-3"
      >
        <Search className="size-4.5 shrink-0" aria-hidden />
        <span className="grow truncate text-start text-sm max-md:sr-only">Find a guest or a page</span>
        <kbd aria-hidden className="rounded border border-line px-1.5 font-sans text-xs max-md:hidden">
          {shortcutLabel(navigator.platform)}
        </kbd>
      </button>
      <Suspense>{open && <CommandPalette {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
