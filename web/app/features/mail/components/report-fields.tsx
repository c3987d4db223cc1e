import { Copy } from "lucide-react";
import { useId } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { Button } from "~/ui/button";
import { copyLink } from "~/ui/copy-link";
import type { Configuration, ConfigurationInput } from "../model";
import { KeyField } from "./key-field";

const TEXTS = {
  resend: {
    steps:
      "At Resend, add a webhook with this address and the events email.bounced and email.complained. Then enter its signing secret below.",
    keyLabel: "Signing secret",
  },
  sendgrid: {
    steps:
      "At SendGrid, add an event webhook with this address and the events Bounced, Dropped and Spam Reports. Turn its signature on, and enter the verification key below.",
    keyLabel: "Verification key",
  },
};

type Props = {
  provider: keyof typeof TEXTS;
  savedConfiguration: Configuration;
  register: UseFormRegister<ConfigurationInput>;
  errors: FieldErrors<ConfigurationInput>;
};

/** Shows where the provider reports bounces and complaints, and the field for the key that verifies these reports. */
export function ReportFields({ provider, savedConfiguration, register, errors }: Props) {
  const headingId = useId();
  const { steps, keyLabel } = TEXTS[provider];
  const path = savedConfiguration.reportPaths[provider];
  const hasKey = savedConfiguration.hasReportKey && savedConfiguration.provider === provider;
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3 border-t border-line pt-5">
      <h3 id={headingId} className="font-medium">
        Bounces and spam reports (optional)
      </h3>
      <p className="max-w-prose text-sm text-muted">
        With these reports we stop emailing addresses that do not exist, and people who report your emails as
        spam. {steps}
      </p>
      <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
        <code
          tabIndex={0}
          aria-label="Webhook address"
          className="min-w-0 grow rounded-control border border-edge bg-ground px-3 py-2 text-sm wrap-anywhere select-all"
        >
          {window.location.origin + path}
        </code>
        <Button variant="secondary" onClick={() => void copyLink(path)}>
          <Copy aria-hidden /> Copy address
        </Button>
      </div>
      <KeyField
        label={keyLabel}
        hasKey={hasKey}
        error={errors.reportKey?.message}
        registration={register("reportKey", { maxLength: 500 })}
      />
    </section>
  );
}
