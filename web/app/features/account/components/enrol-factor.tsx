import { errorMessage } from "~/lib/error-message";
import { useEffect, useState } from "react";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/field";
import { enrol, useFinishEnrolment, type Enrolment } from "../api/factors";
import { CodeForm } from "./code-form";

type Props = { onAdded: () => Promise<void>; onCancel: () => void };

/** Shows the QR code and requires a first code, which proves that the app was set up correctly. */
export function EnrolFactor({ onAdded, onCancel }: Props) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    void enrol().then(setEnrolment, (error: unknown) => setProblem(errorMessage(error)));
  }, []);

  if (problem) {
    return (
      <div className="flex flex-col items-start gap-4">
        <FieldError>{problem}</FieldError>
        <Button variant="secondary" onClick={onCancel}>
          Close
        </Button>
      </div>
    );
  }
  return enrolment ? (
    <ScanCode enrolment={enrolment} onAdded={onAdded} onCancel={onCancel} />
  ) : (
    <p role="status" className="text-muted">
      Preparing…
    </p>
  );
}

function ScanCode({ enrolment, onAdded, onCancel }: Props & { enrolment: Enrolment }) {
  const finish = useFinishEnrolment(enrolment);
  const verify = async (code: string) => {
    await finish.mutateAsync(code);
    await onAdded();
  };
  return (
    <div className="flex flex-col gap-5 sm:flex-row sm:items-start sm:gap-7">
      <img
        src={enrolment.qrCode}
        alt="QR code for your authenticator app"
        className="size-44 shrink-0 rounded-card border border-line bg-white"
      />
      <div className="flex min-w-0 grow flex-col gap-4">
        <p>
          Scan this with an authenticator app, or type the key into it:
          <code dir="ltr" className="mt-1.5 block font-mono text-sm break-all text-muted">
            {enrolment.secret}
          </code>
        </p>
        <CodeForm
          numeric
          label="Code"
          hint="The six digits the app shows now."
          submitLabel="Turn on"
          onCode={verify}
        >
          <Button variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        </CodeForm>
      </div>
    </div>
  );
}
