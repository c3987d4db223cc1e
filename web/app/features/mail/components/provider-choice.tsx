import type { UseFormRegisterReturn } from "react-hook-form";
import { PROVIDER_NAMES, PROVIDERS, type Provider } from "../model";

const DESCRIPTIONS: Record<Provider, string> = {
  service: "The mail server that runs with this application",
  mock: "For trying things out. Nothing is delivered",
  sendgrid: "Your own SendGrid account",
  resend: "Your own Resend account",
  custom: "Your own server that accepts each message as JSON",
};

/** Each radio button is part of a row that can be clicked anywhere. */
export function ProviderChoice({ field }: { field: UseFormRegisterReturn }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Email provider</legend>
      <div className="divide-y divide-line overflow-hidden rounded-control border border-edge">
        {PROVIDERS.map((provider) => (
          <label
            key={provider}
            className="flex min-h-14 items-center gap-3.5 px-4 py-2.5 transition-colors hover:bg-sunken/60 has-checked:bg-forest-soft has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-forest"
          >
            <input
              type="radio"
              value={provider}
              {...field}
              className="size-4.5 shrink-0 accent-forest focus-visible:outline-none"
            />
            <span className="min-w-0">
              <span className="block font-medium">
                {PROVIDER_NAMES[provider]}
                {provider === "service" && <span className="font-normal text-muted"> (default)</span>}
              </span>
              <span className="block text-sm text-muted">{DESCRIPTIONS[provider]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
