import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import { useUpdateProfile, type ProfileChanges } from "../api/update-profile";
import type { PictureChoice } from "../api/picture";
import type { Account } from "../model";
import { PictureField } from "./picture-field";

/** The form is read-only until Edit is pressed. Cancel restores the saved values. */
export function ProfileForm({ account }: { account: Account }) {
  const [editing, setEditing] = useState(false);
  const [picture, setPicture] = useState<PictureChoice>("keep");
  const savedValues = { name: account.name, bio: account.bio, companyName: account.company?.name ?? "" };
  const { register, handleSubmit, formState, reset } = useForm<ProfileChanges>({ values: savedValues });
  const update = useUpdateProfile(account);
  const stopEditing = () => {
    setPicture("keep");
    setEditing(false);
  };
  const submit = handleSubmit((changes) =>
    update.mutate({ ...changes, picture }, { onSuccess: stopEditing }),
  );
  const cancel = () => {
    reset(savedValues);
    stopEditing();
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      <PictureField account={account} editing={editing} choice={picture} onChoose={setPicture} />
      <Field label="Full Name" error={formState.errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            {...register("name", {
              validate: (name) => name.trim() !== "" || "Please enter your name",
              maxLength: 200,
            })}
            readOnly={!editing}
            autoComplete="name"
          />
        )}
      </Field>
      <Field label="Email">{(control) => <Input {...control} value={account.email} disabled />}</Field>
      {account.company && (
        <Field label="Company Name" hint="Replaces [COMPANY NAME] in your waivers.">
          {(control) => (
            <Input
              {...control}
              {...register("companyName", { maxLength: 200 })}
              readOnly={!editing}
              autoComplete="organization"
            />
          )}
        </Field>
      )}
      <Field label="Bio">
        {(control) => (
          <Textarea {...control} {...register("bio", { maxLength: 2000 })} readOnly={!editing} rows={3} />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        {editing ? (
          <>
            <Button type="submit" busy={update.isPending}>
              Save Changes
            </Button>
            <Button variant="secondary" onClick={cancel} disabled={update.isPending}>
              Cancel
            </Button>
          </>
        ) : (
          // Without the key, React would turn this button into the submit button during the click, and the click would
          // submit the form.
          <Button key="edit" variant="secondary" onClick={() => setEditing(true)}>
            Edit Profile
          </Button>
        )}
      </div>
    </form>
  );
}
