import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useLocation } from "react-router";
import { Button } from "~/ui/button";
import { InputField } from "~/ui/input-field";
import { toast } from "~/ui/toast-store";
import { useSaveCompanySettings } from "../api/company-settings";
import { settingsSchema, type CompanySettings } from "../model";
import { ReminderFields } from "./reminder-fields";
import { TimeZoneField } from "./time-zone-field";

type Props = { companyId: string; savedSettings: CompanySettings };

export function CompanySettingsForm({ companyId, savedSettings }: Props) {
  const { register, handleSubmit, control, formState, setValue, reset } = useForm({
    defaultValues: savedSettings,
    resolver: zodResolver(settingsSchema),
  });
  const { errors, isDirty } = formState;
  const textField = (name: "senderName" | "replyTo") => ({
    ...register(name),
    error: errors[name]?.message,
  });
  const save = useSaveCompanySettings(companyId);
  const draft = useWatch({ control });
  const { hash } = useLocation();
  useEffect(() => showPart(hash.slice(1)), [hash]);
  const submit = handleSubmit((newSettings) =>
    save.mutate(newSettings, {
      onSuccess: () => {
        reset(newSettings);
        toast({ title: "Company settings saved" });
      },
      onError: (error) =>
        toast({ title: "Company settings were not saved", description: error.message, destructive: true }),
    }),
  );

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
      <div id="time-zone">
        <TimeZoneField
          field={register("timeZone")}
          savedZone={savedSettings.timeZone}
          selected={draft.timeZone ?? savedSettings.timeZone}
          onSelect={(zone) => setValue("timeZone", zone, { shouldDirty: true })}
        />
      </div>
      <div id="link-days">
        <InputField
          label="Days until a link expires"
          error={errors.linkDays?.message}
          hint="For waivers you send from now on. A link that has expired can be sent again."
          {...register("linkDays", { valueAsNumber: true })}
          type="number"
          min={1}
          max={365}
          className="max-w-32"
        />
      </div>
      <ReminderFields register={register} errors={errors} draft={{ ...savedSettings, ...draft }} />
      <fieldset id="sender" className="flex flex-col gap-4">
        <legend className="mb-3 font-semibold">Sender</legend>
        <InputField
          label="Sender name"
          hint="Empty: the name of your company."
          {...textField("senderName")}
          autoComplete="organization"
        />
        <InputField
          label="Reply-to address"
          hint="Guest replies go here. Leave blank to use the sender’s address."
          {...textField("replyTo")}
          type="email"
          autoComplete="email"
        />
      </fieldset>
      <div>
        <Button type="submit" busy={save.isPending} disabled={!isDirty}>
          Save Company Settings
        </Button>
      </div>
    </form>
  );
}

/** Scrolls to the part of the form that the URL names. The browser cannot do it, because the form is loaded later. */
function showPart(id: string): void {
  const part = document.getElementById(id);
  if (!part?.closest("form")) return;
  part.scrollIntoView();
  part.querySelector<HTMLElement>("select, input")?.focus({ preventScroll: true });
}
