import { useForm } from "react-hook-form";
import { FunctionFailed } from "~/lib/functions";
import { CheckboxField } from "~/ui/checkbox-field";
import { Dialog } from "~/ui/dialog";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { SubmitActions } from "~/ui/submit-actions";
import { useSaveEndpoint } from "../api/save-endpoint";
import { TEXTS, type Endpoint, type EndpointDraft, type Kind, type SavedEndpoint } from "../model";

type Props = {
  kind: Kind;
  endpoint?: Endpoint;
  onClose: () => void;
  onSaved: (saved: SavedEndpoint) => void;
};

export function EndpointDialog({ kind, endpoint, onClose, onSaved }: Props) {
  const texts = TEXTS[kind];
  const save = useSaveEndpoint(kind, endpoint?.id);
  const savedSendSensitive = endpoint?.send_sensitive ?? false;
  const { register, handleSubmit, setError, formState } = useForm<EndpointDraft>({
    defaultValues: {
      name: endpoint?.name ?? "",
      url: endpoint?.url ?? "",
      send_sensitive: savedSendSensitive,
    },
  });
  const { errors } = formState;
  const submit = handleSubmit(async ({ name, url, send_sensitive = false }) => {
    try {
      const draft = { name: name.trim(), url: url.trim() };
      onSaved(
        await save.mutateAsync(send_sensitive === savedSendSensitive ? draft : { ...draft, send_sensitive }),
      );
    } catch (error) {
      const { field, reason } = error instanceof FunctionFailed ? error.parameters : {};
      if (field === "url") setError("url", { message: reason ?? "" }, { shouldFocus: true });
      else setError("root", { message: error instanceof Error ? error.message : "It was not saved." });
    }
  });
  return (
    <Dialog open onClose={onClose} title={endpoint ? texts.editTitle : texts.newTitle}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label={texts.urlLabel} required hint={texts.urlHint} error={errors.url?.message}>
          {(control) => (
            <Input
              {...control}
              {...register("url", {
                validate: (url) =>
                  url.trim().startsWith("https://") || "Please enter an address with https://",
              })}
              type="url"
              inputMode="url"
              maxLength={2000}
              autoComplete="off"
              placeholder={texts.placeholder}
            />
          )}
        </Field>
        <Field label="Name" hint="For yourself. Empty: the name of the server.">
          {(control) => (
            <Input {...control} {...register("name")} dir="auto" maxLength={80} autoComplete="off" />
          )}
        </Field>
        <CheckboxField {...register("send_sensitive")}>
          Also send answers to sensitive questions, for example about health
        </CheckboxField>
        <SubmitActions
          submitLabel={endpoint ? "Save" : texts.add}
          onKeep={onClose}
          isBusy={save.isPending}
          problem={errors.root?.message}
        />
      </form>
    </Dialog>
  );
}
