import { createClient } from "@supabase/supabase-js";
import { createClient as createOld } from "supabase-old";

/** Every contract holds for the newest client and for the old one that the product's constants come from. */
export const VERSIONS = ["newest", "2.49.4"] as const;
export type Version = (typeof VERSIONS)[number];

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two differ in types, not in the calls made here
const createOldClient = createOld as unknown as typeof createClient;

export const CREATE_CLIENT: Record<Version, typeof createClient> = {
  newest: createClient,
  "2.49.4": createOldClient,
};
