import { cx } from "class-variance-authority";

type Props<View extends string> = {
  label: string;
  options: { view: View; label: string; className?: string }[];
  view: View;
  onChange: (view: View) => void;
  className?: string;
};

/** Switches between views of which only one is shown. */
export function ViewSwitch<View extends string>({ label, options, view, onChange, className }: Props<View>) {
  return (
    <div
      role="group"
      aria-label={label}
      className={cx("flex gap-1 rounded-control bg-sunken p-1", className)}
    >
      {options.map((option) => (
        <button
          key={option.view}
          type="button"
          aria-pressed={view === option.view}
          onClick={() => onChange(option.view)}
          className={cx(
            "h-11 grow rounded-lg px-3 text-sm font-medium text-muted aria-pressed:bg-surface aria-pressed:text-foreground aria-pressed:shadow-xs",
            option.className,
          )}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
