import { lazy, Suspense } from "react";
import { WaiverText } from "~/features/signing/waiver-text";
import type { Template } from "~/features/templates/model";

const CreateTemplateDialog = lazy(() => import("~/features/templates/components/create-template-dialog"));
const TemplateDetailsDialog = lazy(() => import("~/features/templates/components/template-details-dialog"));
const SendWaiverDialog = lazy(() => import("~/features/sending/components/send-waiver-dialog"));
const SendPdfDialog = lazy(() => import("~/features/sending/components/send-pdf-dialog"));
const SendSeveralDialog = lazy(() => import("~/features/sending/components/send-several-dialog"));
const EmailDialog = lazy(() => import("~/features/mail/components/email-dialog"));

export type OpenDialog =
  | { dialog: "create" | "email" }
  | { dialog: "view" | "send" | "send-pdf" | "send-several"; template: Template };

type Props = { open: OpenDialog | null; companyName: string; onClose: () => void };

/** The dialogs of the templates page, one at a time, each loaded when it is first opened. */
export function TemplateDialogs({ open, companyName, onClose }: Props) {
  return (
    <Suspense>{open && <CurrentDialog open={open} companyName={companyName} onClose={onClose} />}</Suspense>
  );
}

function CurrentDialog({ open, companyName, onClose }: Props & { open: OpenDialog }) {
  const renderText = (content: string) => (
    <WaiverText content={content} names={{ participant: "", company: companyName }} headingLevel={2} />
  );
  switch (open.dialog) {
    case "create":
      return <CreateTemplateDialog renderText={renderText} onClose={onClose} />;
    case "email":
      return <EmailDialog onClose={onClose} />;
    case "send":
      return <SendWaiverDialog template={open.template} onClose={onClose} />;
    case "send-pdf":
      return <SendPdfDialog template={open.template} onClose={onClose} />;
    case "send-several":
      return <SendSeveralDialog template={open.template} onClose={onClose} />;
    case "view":
      return <TemplateDetailsDialog template={open.template} renderText={renderText} onClose={onClose} />;
  }
}
