import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "~/ui/button";
import { TextareaField } from "~/ui/input-field";
import { RadioField } from "~/ui/radio-field";
import { toast } from "~/ui/toast-store";
import { useSaveFramedBy } from "../api/framed-by";
import { toWebsiteList, framingSchema, toFraming, type Framing } from "../model";

type Props = { companyId: string; savedWebsites: string[] };

export function WebsitesForm({ companyId, savedWebsites }: Props) {
  const { register, handleSubmit, control, formState, reset } = useForm<Framing>({
    defaultValues: toFraming(savedWebsites),
    resolver: zodResolver(framingSchema),
  });
  const permission = useWatch({ control, name: "who" });
  const save = useSaveFramedBy(companyId);
  const submit = handleSubmit((framing) => {
    const websites = toWebsiteList(framing);
    save.mutate(websites, {
      onSuccess: () => {
        reset(toFraming(websites));
        toast({ title: "Websites saved", description: summary(websites) });
      },
      onError: (error) =>
        toast({ title: "Websites were not saved", description: error.message, destructive: true }),
    });
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <fieldset className="flex flex-col">
        <legend className="sr-only">Who may show your signing pages in a frame</legend>
        <RadioField {...register("who")} value="any" label="Any website">
          Anyone with the snippet can show the page. No one is signed in inside a frame, so a guest can only
          sign for themselves there.
        </RadioField>
        <RadioField {...register("who")} value="named" label="Only the websites I name">
          On every other website the browser blocks the frame.
        </RadioField>
      </fieldset>
      {permission === "named" && (
        <TextareaField
          label="Websites"
          error={formState.errors.websites?.message}
          hint="One per line. example.com and www.example.com count separately. An empty list means none at all."
          {...register("websites")}
          rows={4}
          maxLength={4000}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://www.example.com"
        />
      )}
      <div>
        <Button type="submit" busy={save.isPending} disabled={!formState.isDirty}>
          Save websites
        </Button>
      </div>
    </form>
  );
}

function summary(websites: string[]): string {
  if (websites.includes("*")) return "Any website may show your signing pages.";
  if (websites.length === 0) return "No website may show your signing pages.";
  return `Only ${websites.length === 1 ? "this website" : `these ${websites.length} websites`} may show your signing pages.`;
}
