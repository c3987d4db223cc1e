import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { requestAuth } from "~/lib/api";
import { authClient } from "~/lib/auth";
import { digitsOnly } from "./verify-second-factor";

export type Factor = { id: string; name: string; addedAt: string };

export const factorsQuery = queryOptions({ queryKey: ["factors"], queryFn: fetchFactors });

export const useFactors = () => useQuery(factorsQuery);

async function fetchFactors(): Promise<Factor[]> {
  const { data, error } = await (await authClient()).mfa.listFactors();
  if (error) throw error;
  const verified = data.all.filter(({ status }) => status === "verified");
  return verified.map(({ id, friendly_name, created_at }) => ({
    id,
    name: friendly_name || "Second factor",
    addedAt: created_at,
  }));
}

export type Enrolment = { id: string; qrCode: string; secret: string };

/**
 * Starts an enrolment and removes unfinished ones. The new factor counts only after a code from it has been verified.
 */
export async function enrol(): Promise<Enrolment> {
  const { mfa } = await authClient();
  const { data: existing, error: listError } = await mfa.listFactors();
  if (listError) throw listError;
  await Promise.all(
    existing.all
      .filter(({ status, factor_type }) => status === "unverified" && factor_type === "totp")
      .map(({ id }) => mfa.unenroll({ factorId: id })),
  );
  const friendlyName = nextFactorName(existing.all.map(({ friendly_name }) => friendly_name));
  const { data, error } = await mfa.enroll({ factorType: "totp", friendlyName, issuer: "Cairn" });
  if (error) throw error;
  return { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}

export function nextFactorName(existingNames: (string | undefined)[]): string {
  // There is one candidate more than there are existing names, so at least one is free.
  const candidates = [
    "Authenticator app",
    ...existingNames.map((_, index) => `Authenticator app ${index + 2}`),
  ];
  return candidates.find((name) => !existingNames.includes(name)) ?? "Authenticator app";
}

export function useFinishEnrolment({ id }: Enrolment) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) => {
      const { mfa } = await authClient();
      const { error } = await mfa.challengeAndVerify({ factorId: id, code: digitsOnly(code) });
      if (error) throw error;
    },
    onSuccess: () => queries.invalidateQueries(factorsQuery),
  });
}

export function useRemoveFactor() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Factor) => {
      const auth = await authClient();
      const { error } = await auth.mfa.unenroll({ factorId: id });
      if (error) throw error;
      // The stored session still lists the factor; a refreshed one does not.
      await auth.refreshSession();
    },
    onSuccess: () => queries.invalidateQueries(factorsQuery),
  });
}

/** Creates recovery codes. The new codes invalidate the old ones. */
export async function createRecoveryCodes(): Promise<string[]> {
  const { codes } = await requestAuth<{ codes: string[] }>("/factors/recovery_codes", {});
  return codes;
}
