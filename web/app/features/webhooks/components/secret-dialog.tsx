import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "~/lib/clipboard";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { toast } from "~/ui/toast-store";

/** Shows the secret once. It cannot be retrieved later. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    if (await copyText(secret)) setIsCopied(true);
    else
      toast({ title: "Not copied", description: "Select the text and copy it by hand.", destructive: true });
  };
  return (
    <Dialog open onClose={onClose} title="Your signing secret" description="It is shown this once.">
      <p>Store it where your server reads its secrets, and verify the signature of each delivery with it.</p>
      <code
        tabIndex={0}
        aria-label="Signing secret"
        className="mt-4 block rounded-control border border-edge bg-ground px-4 py-3 text-sm wrap-anywhere select-all"
      >
        {secret}
      </code>
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Done
        </Button>
        <Button onClick={() => void copy()}>
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} {isCopied ? "Copied" : "Copy secret"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
