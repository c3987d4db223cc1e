import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { Field, FieldError } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import { useSaveTemplate } from "../api/save-template";
import { templateDraft, type TemplateDraft } from "../draft";
import type { Template } from "../model";

type Props = { template?: Template; submit: string; done: string; onCancel: () => void; onSaved: () => void };

export function TemplateForm({ template, submit, done, onCancel, onSaved }: Props) {
  const { name = "", description = "", content = "" } = template ?? {};
  const { register, handleSubmit, formState } = useForm<TemplateDraft>({
    resolver: zodResolver(templateDraft),
    defaultValues: { name, description, content },
  });
  const save = useSaveTemplate();
  const send = handleSubmit((draft) =>
    save.mutate(template ? { draft, template } : { draft }, {
      onSuccess: () => {
        toast({ title: done, description: draft.name });
        onSaved();
      },
    }),
  );
  const { errors } = formState;

  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-5">
      <Field label="Template Name" error={errors.name?.message}>
        {(control) => <Input {...control} {...register("name")} dir="auto" />}
      </Field>
      <Field label="Description" error={errors.description?.message}>
        {(control) => <Input {...control} {...register("description")} dir="auto" />}
      </Field>
      <Field label="Waiver Content" hint={<PlaceholderHint />} error={errors.content?.message}>
        {(control) => (
          <Textarea
            {...control}
            {...register("content")}
            rows={10}
            dir="auto"
            className="font-mono text-sm"
          />
        )}
      </Field>
      {save.isError && <FieldError>{`Your text is still here. ${save.error.message}`}</FieldError>}
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={save.isPending}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
}

function PlaceholderHint() {
  return (
    <>
      <code className="text-ink">[PARTICIPANT NAME]</code> and{" "}
      <code className="text-ink">[COMPANY NAME]</code> are placeholders: they are filled in when the waiver is
      signed. A line that starts with # is a heading, with - a list.
    </>
  );
}
