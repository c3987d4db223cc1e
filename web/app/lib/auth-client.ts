import { AuthClient } from "@supabase/auth-js";
import type { Auth } from "./supabase";

export function createAuth(origin: string, key: string, storageKey: string): Auth {
  return new AuthClient({
    url: `${origin}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey,
  });
}
