import { errorMessage } from "~/lib/error-message";
import { useState } from "react";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { Input } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import { useSaveCompanyName } from "../api/save-company-name";
import { companyNameProblem, type Account } from "../model";

/** This form is shown until the company has a name, because every waiver has to name the company. */
export function CompanyNameForm({ account }: { account: Account }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const saveName = useSaveCompanyName(account);
  const submit = async () => {
    const nameProblem = companyNameProblem(name);
    setProblem(nameProblem);
    if (nameProblem) return;
    try {
      await saveName.mutateAsync(name);
      toast({ title: "Company name saved", description: `Your waivers now name ${name.trim()}.` });
    } catch (error) {
      toast({ title: "Update failed", description: errorMessage(error), destructive: true });
    }
  };

  return (
    <Form onSubmit={() => void submit()} className="flex flex-col gap-3 sm:flex-row sm:items-start">
      <div className="grow">
        <Field label="Company name" error={problem ?? undefined}>
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="organization"
              placeholder="Rio Rafting"
            />
          )}
        </Field>
      </div>
      <Button type="submit" className="sm:mt-6.5 md:h-11" busy={saveName.isPending}>
        Save name
      </Button>
    </Form>
  );
}
