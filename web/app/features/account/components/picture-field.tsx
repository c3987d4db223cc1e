import { ImageUp } from "lucide-react";
import { useEffect, useId, useMemo, useState } from "react";
import { Avatar } from "~/ui/avatar";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/field";
import { PICTURE_TYPES, pictureProblem, type PictureChoice } from "../api/picture";
import type { Account } from "../model";

type Props = {
  account: Account;
  editing: boolean;
  choice: PictureChoice;
  onChoose: (choice: PictureChoice) => void;
};

/** Previews the chosen picture before it is saved. */
export function PictureField({ account, editing, choice, onChoose }: Props) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const preview = usePreview(choice);
  const shownPicture = choice === "keep" ? account.profilePicture : preview;
  const choose = (file: File | undefined) => {
    if (!file) return;
    const fileProblem = pictureProblem(file);
    setProblem(fileProblem);
    if (!fileProblem) onChoose(file);
  };
  return (
    <div className="flex items-center gap-4">
      <Avatar name={account.name} picture={shownPicture} size={72} />
      {editing ? (
        <div className="flex flex-col gap-2">
          <div className="flex flex-wrap gap-2">
            <Button asChild variant="secondary" size="sm">
              <label
                htmlFor={id}
                className="cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-forest"
              >
                <ImageUp aria-hidden /> Choose a picture
                <input
                  id={id}
                  type="file"
                  accept={PICTURE_TYPES.join(",")}
                  className="sr-only"
                  aria-describedby={`${id}-hint`}
                  onChange={(event) => choose(event.target.files?.[0])}
                />
              </label>
            </Button>
            {shownPicture && (
              <Button variant="ghost" size="sm" onClick={() => onChoose("remove")}>
                Remove
              </Button>
            )}
          </div>
          <p id={`${id}-hint`} className="text-sm text-muted">
            PNG, JPEG, WebP or GIF, at most 5 MB. Anyone who knows its address can see it.
          </p>
          {problem && <FieldError>{problem}</FieldError>}
        </div>
      ) : (
        <div className="min-w-0">
          <p dir="auto" className="truncate text-lg font-semibold">
            {account.name}
          </p>
          <p className="text-muted">{account.role === "company" ? "Company" : "Customer"}</p>
        </div>
      )}
    </div>
  );
}

function usePreview(choice: PictureChoice): string | null {
  const url = useMemo(() => (choice instanceof File ? URL.createObjectURL(choice) : null), [choice]);
  useEffect(() => {
    if (!url) return undefined;
    return () => URL.revokeObjectURL(url);
  }, [url]);
  return url;
}
