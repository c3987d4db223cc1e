import { createClient } from "@supabase/supabase-js";
import { createClient as createOldVersion } from "supabase-old";

/** Every test runs with the newest client library and with the old version that the requirements are based on. */
export const VERSIONS = ["newest", "2.49.4"] as const;
export type Version = (typeof VERSIONS)[number];

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the versions have different types, but the tests make the same calls
const createOldClient = createOldVersion as unknown as typeof createClient;

export const CREATE_CLIENT: Record<Version, typeof createClient> = {
  newest: createClient,
  "2.49.4": createOldClient,
};
