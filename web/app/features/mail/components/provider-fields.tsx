import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { InputField } from "~/ui/input-field";
import {
  needsKey,
  PROVIDER_NAMES,
  type ConfigurationInput,
  type Configuration,
  type Provider,
} from "../model";
import { CustomEndpointFormat } from "./custom-endpoint-format";
import { KeyField } from "./key-field";
import { ReportFields } from "./report-fields";

type Props = {
  provider: Provider;
  savedConfiguration: Configuration;
  register: UseFormRegister<ConfigurationInput>;
  errors: FieldErrors<ConfigurationInput>;
};

/** Shows the settings of the chosen provider or an explanation of it. */
export function ProviderFields({ provider, savedConfiguration, register, errors }: Props) {
  if (provider === "mock")
    return (
      <p className="rounded-control bg-amber-soft px-4 py-3 text-amber-text">
        In this mode nothing is delivered. Each message is kept in Email History, two seconds after you send
        it.
      </p>
    );
  if (provider === "custom")
    return (
      <>
        <InputField
          label="Endpoint URL"
          required
          error={errors.customEndpoint?.message}
          hint="Must start with https:// and be reachable on the public internet."
          {...register("customEndpoint", { maxLength: 2000 })}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://mail.example.com/send"
        />
        <CustomEndpointFormat />
      </>
    );
  if (!needsKey(provider))
    return (
      <p className="max-w-prose text-muted">
        {savedConfiguration.serviceConfigured
          ? "There is nothing to set up here."
          : "No mail server is connected to this application yet, so mails are kept in Email History, where their links can be opened. They are not delivered to anyone."}
      </p>
    );
  const name = PROVIDER_NAMES[provider];
  const hasKey = savedConfiguration.hasApiKey && savedConfiguration.provider === provider;
  return (
    <>
      <KeyField
        label="API Key"
        required={!hasKey}
        hasKey={hasKey}
        error={errors.apiKey?.message}
        registration={register("apiKey", { maxLength: 500 })}
      />
      <InputField
        label="From address"
        error={errors.senderEmail?.message}
        hint={`An address or domain you have verified with ${name}. Empty: ${savedConfiguration.serviceSender}`}
        {...register("senderEmail", { maxLength: 320 })}
        type="email"
        autoComplete="off"
        placeholder="waivers@example.com"
      />
      <ReportFields
        provider={provider}
        savedConfiguration={savedConfiguration}
        register={register}
        errors={errors}
      />
    </>
  );
}
