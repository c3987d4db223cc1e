import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "~/lib/clipboard";
import { Button } from "~/ui/button";
import { toast } from "~/ui/toast-store";

const NOT_COPIED_TOAST = {
  title: "Not copied",
  description: "Select the text and copy it by hand.",
  destructive: true,
};

/** Shows code with a button that copies it. */
export function CodeSample({ label, children }: { label: string; children: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () =>
    copyText(children).then((success) => (success ? setIsCopied(true) : toast(NOT_COPIED_TOAST)));
  return (
    <figure className="overflow-hidden rounded-control border border-line">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line bg-sunken/60 ps-4 text-sm font-medium">
        {label}
        <Button variant="ghost" size="sm" onClick={() => void copy()} aria-label={`Copy ${label}`}>
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} {isCopied ? "Copied" : "Copy"}
        </Button>
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto bg-ground p-4 font-mono text-[0.8125rem] leading-relaxed -outline-offset-2"
      >
        {children}
      </pre>
    </figure>
  );
}
