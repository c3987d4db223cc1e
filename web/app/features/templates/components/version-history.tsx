import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { toast } from "~/ui/toast-store";
import { useSaveTemplate } from "../api/save-template";
import { useTemplateVersions } from "../api/template-versions";
import { formChange } from "../form-change";
import type { Template } from "../model";
import type { RenderText } from "./template-form";
import { VersionRow, type Version } from "./version-row";

type Props = { template: Template; renderText: RenderText; onBack: () => void };

/** Lists the newest 200 versions. Restoring one saves it again as the newest, so nothing is lost. */
export function VersionHistory({ template, renderText, onBack }: Props) {
  const { data: versions, isError, refetch } = useTemplateVersions(template.id);
  const [openVersion, setOpenVersion] = useState<number | null>(null);
  const save = useSaveTemplate();
  const restore = ({ version, name, description, content, form }: Version) =>
    save.mutate(
      { template, draft: { name, description, content, form } },
      {
        onSuccess: () => toast({ title: `Version ${version} restored`, description: name }),
        onError: ({ message }) =>
          toast({ title: "The version was not restored", description: message, destructive: true }),
      },
    );

  return (
    <>
      {!versions && !isError && <Skeleton className="h-48" />}
      {!versions && isError && (
        <Failure title="The history could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. Nothing was lost.
        </Failure>
      )}
      {versions && (
        <ol
          aria-label="Versions, newest first"
          className="divide-y divide-line rounded-control border border-line"
        >
          {versions.map((version, index) => (
            <VersionRow
              key={version.version}
              version={version}
              isNewest={version.version === template.version}
              formChange={formChange(version, versions[index + 1])}
              isOpen={openVersion === version.version}
              isBusy={save.isPending}
              renderText={renderText}
              onToggle={() => setOpenVersion(openVersion === version.version ? null : version.version)}
              onRestore={() => restore(version)}
            />
          ))}
        </ol>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onBack}>
          <ArrowLeft aria-hidden /> Back
        </Button>
      </DialogActions>
    </>
  );
}
