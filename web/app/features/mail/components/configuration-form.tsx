import { useForm, useWatch } from "react-hook-form";
import { FunctionFailed } from "~/lib/functions";
import { Button } from "~/ui/button";
import { toast } from "~/ui/toast-store";
import { useSaveConfiguration } from "../api/configuration";
import { choiceOf, missing, PROVIDER_NAMES, type Choice, type Configuration } from "../model";
import { ProviderChoice } from "./provider-choice";
import { ProviderFields } from "./provider-fields";
import { TestEmail } from "./test-email";

const WRONG = {
  title: "Configuration Error",
  description: "Please check your email service settings",
  destructive: true,
};

export function ConfigurationForm({ saved }: { saved: Configuration }) {
  const { register, handleSubmit, control, formState, setError, reset } = useForm<Choice>({
    defaultValues: choiceOf(saved),
  });
  const save = useSaveConfiguration();
  const provider = useWatch({ control, name: "provider" });

  const refuse = (field: keyof Choice, message: string) => {
    setError(field, { message }, { shouldFocus: true });
    toast(WRONG);
  };
  const submit = handleSubmit(async (choice) => {
    const lacks = missing(choice, saved);
    if (lacks) return refuse(lacks.field, lacks.says);
    try {
      const now = await save.mutateAsync(choice);
      reset(choiceOf(now));
      toast({
        title: "Email settings saved",
        description: `Provider: ${PROVIDER_NAMES[now.provider]}. Send a test email to see that it works.`,
      });
    } catch (error) {
      const { field, reason } = error instanceof FunctionFailed ? error.parameters : {};
      if (isField(field)) return refuse(field, reason ?? WRONG.description);
      toast({ ...WRONG, title: "Email settings were not saved", description: messageOf(error) });
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <ProviderChoice field={register("provider")} />
      <ProviderFields provider={provider} saved={saved} register={register} errors={formState.errors} />
      <div className="flex flex-col gap-3 border-t border-line pt-5 sm:flex-row sm:items-center">
        <Button type="submit" busy={save.isPending}>
          Save Settings
        </Button>
        <TestEmail provider={saved.provider} isSaved={!formState.isDirty} />
      </div>
    </form>
  );
}

const FIELDS = ["apiKey", "customEndpoint", "senderEmail"] as const;
const isField = (name: string | undefined): name is (typeof FIELDS)[number] =>
  FIELDS.some((field) => field === name);

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : "An unexpected error occurred";
