import { PenLine } from "lucide-react";
import type { MyWaiverRow } from "~/lib/database";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { toast } from "~/ui/toast-store";

/** The signing page is a separate document, which the router cannot render, so the button loads it. */
export function SignButton({ waiver }: { waiver: MyWaiverRow }) {
  const { template_name, company_name, session_id } = waiver;
  const open = () => {
    toast({ title: "Opening waiver", description: `${template_name}, for ${company_name}` });
    window.location.assign(paths.signing(session_id));
  };
  return (
    <Button size="sm" onClick={open} aria-label={`Sign Waiver: ${template_name}, ${company_name}`}>
      <PenLine aria-hidden /> Sign Waiver
    </Button>
  );
}
