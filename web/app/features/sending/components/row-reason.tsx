import { CircleAlert } from "lucide-react";

const TONES = { red: "text-red-text", amber: "text-amber-text" } as const;

/** Says why a row of a list was not sent. */
export function RowReason({ tone, children }: { tone: keyof typeof TONES; children: string }) {
  return (
    <p className={`mt-0.5 flex items-start gap-1.5 text-sm wrap-anywhere ${TONES[tone]}`}>
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  );
}
