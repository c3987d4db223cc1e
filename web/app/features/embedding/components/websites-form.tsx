import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Textarea } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import { useSaveFramedBy } from "../api/framed-by";
import { framedBy, framing, framingOf, type Framing } from "../model";
import { Radio } from "./radio";

type Props = { companyId: string; saved: string[] };

export function WebsitesForm({ companyId, saved }: Props) {
  const { register, handleSubmit, control, formState, reset } = useForm<Framing>({
    defaultValues: framingOf(saved),
    resolver: zodResolver(framing),
  });
  const who = useWatch({ control, name: "who" });
  const save = useSaveFramedBy(companyId);
  const submit = handleSubmit((decided) => {
    const websites = framedBy(decided);
    save.mutate(websites, {
      onSuccess: () => {
        reset(framingOf(websites));
        toast({ title: "Websites saved", description: inWords(websites) });
      },
      onError: (error) =>
        toast({ title: "Websites were not saved", description: error.message, destructive: true }),
    });
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <fieldset className="flex flex-col">
        <legend className="sr-only">Who may show your signing pages in a frame</legend>
        <Radio {...register("who")} value="any" label="Any website">
          Whoever has the snippet can show the page. Nobody is signed in inside a frame, so a guest’s own
          signature is all that can be given there.
        </Radio>
        <Radio {...register("who")} value="named" label="Only the websites I name">
          On every other website the frame stays empty, with a note by the browser.
        </Radio>
      </fieldset>
      {who === "named" && (
        <Field
          label="Websites"
          error={formState.errors.websites?.message}
          hint="One a line. With and without www are two websites. An empty list means none at all."
        >
          {(input) => (
            <Textarea
              {...input}
              {...register("websites")}
              rows={4}
              maxLength={4000}
              inputMode="url"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://www.example.com"
            />
          )}
        </Field>
      )}
      <div>
        <Button type="submit" busy={save.isPending} disabled={!formState.isDirty}>
          Save websites
        </Button>
      </div>
    </form>
  );
}

function inWords(websites: string[]): string {
  if (websites.includes("*")) return "Any website may show your signing pages.";
  if (websites.length === 0) return "No website may show your signing pages.";
  return `Only ${websites.length === 1 ? "this website" : `these ${websites.length} websites`} may show your signing pages.`;
}
