import { useForm, useWatch } from "react-hook-form";
import { errorMessage } from "~/lib/error-message";
import { FunctionFailed } from "~/lib/functions";
import { Button } from "~/ui/button";
import { toast } from "~/ui/toast-store";
import { useSaveConfiguration } from "../api/configuration";
import { toInput, firstMissing, PROVIDER_NAMES, type ConfigurationInput, type Configuration } from "../model";
import { ProviderChoice } from "./provider-choice";
import { ProviderFields } from "./provider-fields";
import { TestEmail } from "./test-email";

const CONFIGURATION_ERROR_TOAST = {
  title: "Configuration Error",
  description: "Please check your email service settings",
  destructive: true,
};

export function ConfigurationForm({ savedConfiguration }: { savedConfiguration: Configuration }) {
  const { register, handleSubmit, control, formState, setError, reset } = useForm<ConfigurationInput>({
    defaultValues: toInput(savedConfiguration),
  });
  const save = useSaveConfiguration();
  const provider = useWatch({ control, name: "provider" });

  const showError = (field: keyof ConfigurationInput, message: string) => {
    setError(field, { message }, { shouldFocus: true });
    toast(CONFIGURATION_ERROR_TOAST);
  };
  const submit = handleSubmit(async (input) => {
    const inputProblem = firstMissing(input, savedConfiguration);
    if (inputProblem) return showError(inputProblem.field, inputProblem.message);
    try {
      const newConfiguration = await save.mutateAsync(input);
      reset(toInput(newConfiguration));
      toast({
        title: "Email settings saved",
        description: `Provider: ${PROVIDER_NAMES[newConfiguration.provider]}. Send a test email to see that it works.`,
      });
    } catch (error) {
      const { field, reason } = error instanceof FunctionFailed ? error.parameters : {};
      if (isField(field)) return showError(field, reason ?? CONFIGURATION_ERROR_TOAST.description);
      toast({
        ...CONFIGURATION_ERROR_TOAST,
        title: "Email settings were not saved",
        description: errorMessage(error),
      });
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <ProviderChoice field={register("provider")} />
      <ProviderFields
        provider={provider}
        savedConfiguration={savedConfiguration}
        register={register}
        errors={formState.errors}
      />
      <div className="flex flex-col gap-3 border-t border-line pt-5 sm:flex-row sm:items-center">
        <Button type="submit" busy={save.isPending}>
          Save Settings
        </Button>
        <TestEmail provider={savedConfiguration.provider} isSaved={!formState.isDirty} />
      </div>
    </form>
  );
}

const FIELDS = ["apiKey", "customEndpoint", "senderEmail", "reportKey"] as const;
const isField = (name: string | undefined): name is (typeof FIELDS)[number] =>
  FIELDS.some((field) => field === name);
