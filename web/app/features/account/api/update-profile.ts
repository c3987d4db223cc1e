import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { mayBeSignedIn } from "~/lib/session";
import { toast } from "~/ui/toast-store";
import type { Account } from "../model";
import { accountQuery } from "./account";
import { saveCompanyName } from "./save-company-name";
import { deletePicture, storePicture, type PictureChoice } from "./picture";

export type ProfileChanges = { name: string; bio: string; companyName: string };
type ProfileUpdate = ProfileChanges & { picture: PictureChoice };

export function useUpdateProfile(account: Account) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, bio, companyName, picture }: ProfileUpdate) => {
      const supabase = await apiClient();
      if (!mayBeSignedIn()) throw new Error("Not authenticated");
      const oldPicture = account.profilePicture ?? null;
      const profile_picture = await storePicture(account.id, picture, oldPicture);
      const changes = { name: name.trim(), bio: bio.trim() };
      await unwrap(
        supabase.rest
          .from("profiles")
          .update({ ...changes, ...(profile_picture !== oldPicture && { profile_picture }) })
          .eq("id", account.id),
      );
      if (oldPicture && profile_picture !== oldPicture) deletePicture(oldPicture);
      if (account.company && companyName.trim() !== account.company.name) {
        await saveCompanyName(account.company.id, companyName);
      }
      await queries.invalidateQueries(accountQuery);
    },
    onSuccess: () =>
      toast({ title: "Profile updated", description: "Your profile has been successfully updated." }),
    onError: (error) =>
      toast({
        title: "Update failed",
        description: error.message || "Failed to update profile",
        destructive: true,
      }),
  });
}
