import { Copy, Download } from "lucide-react";
import { Button } from "~/ui/button";
import { toast } from "~/ui/toast-store";

type Props = { codes: string[]; onSaved: () => void };

/** The codes can be shown only once, because the server stores only their hashes. */
export function RecoveryCodes({ codes, onSaved }: Props) {
  const text = `${codes.join("\n")}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ title: "Recovery codes copied" }),
      () => toast({ title: "The browser did not allow copying", destructive: true }),
    );
  return (
    <section aria-labelledby="recovery-codes" className="flex flex-col gap-4">
      <div>
        <h3 id="recovery-codes" className="font-semibold">
          Save your recovery codes
        </h3>
        <p className="mt-1 text-muted">
          If you lose your phone, each of these lets you in once. They are not shown again.
        </p>
      </div>
      <ul className="grid max-w-md gap-x-6 gap-y-1.5 rounded-card bg-sunken p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onSaved}>I have saved them</Button>
        <Button variant="secondary" onClick={() => void copy()}>
          <Copy aria-hidden /> Copy
        </Button>
        <Button asChild variant="secondary">
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="cairn-recovery-codes.txt"
          >
            <Download aria-hidden /> Download
          </a>
        </Button>
      </div>
    </section>
  );
}
