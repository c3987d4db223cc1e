import { lazy, Suspense } from "react";
import { WaiverText } from "~/features/signing/waiver-text";
import type { Template } from "~/features/templates/model";
import type { FormEditorProps } from "~/lib/waiver-form/editor-props";
import { Skeleton } from "~/ui/skeleton";

const CreateTemplateDialog = lazy(() => import("~/features/templates/components/create-template-dialog"));
const TemplateDetailsDialog = lazy(() => import("~/features/templates/components/template-details-dialog"));
const SendWaiverDialog = lazy(() => import("~/features/sending/components/send-waiver-dialog"));
const SendPdfDialog = lazy(() => import("~/features/sending/components/send-pdf-dialog"));
const QuestionsEditor = lazy(() => import("./questions-editor"));
const EmailDialog = lazy(() => import("~/features/mail/components/email-dialog"));

export type OpenDialog =
  | { dialog: "create" | "email" }
  | { dialog: "view" | "send" | "send-pdf"; template: Template };

type Props = { openDialog: OpenDialog | null; companyName: string; onClose: () => void };

/** Shows the open dialog of the templates page. Each dialog is loaded when it is first opened. */
export function TemplateDialogs({ openDialog, companyName, onClose }: Props) {
  return (
    <Suspense>
      {openDialog && <CurrentDialog openDialog={openDialog} companyName={companyName} onClose={onClose} />}
    </Suspense>
  );
}

function CurrentDialog({ openDialog, companyName, onClose }: Props & { openDialog: OpenDialog }) {
  const renderText = (content: string) => (
    <WaiverText content={content} names={{ participant: "", company: companyName }} headingLevel={2} />
  );
  switch (openDialog.dialog) {
    case "create":
      return (
        <CreateTemplateDialog renderText={renderText} renderQuestions={renderQuestions} onClose={onClose} />
      );
    case "email":
      return <EmailDialog onClose={onClose} />;
    case "send":
      return <SendWaiverDialog template={openDialog.template} onClose={onClose} />;
    case "send-pdf":
      return <SendPdfDialog template={openDialog.template} onClose={onClose} />;
    case "view":
      return (
        <TemplateDetailsDialog
          template={openDialog.template}
          renderText={renderText}
          renderQuestions={renderQuestions}
          onClose={onClose}
        />
      );
  }
}

const renderQuestions = (props: FormEditorProps) => (
  <Suspense fallback={<Skeleton className="h-96" />}>
    <QuestionsEditor {...props} />
  </Suspense>
);
