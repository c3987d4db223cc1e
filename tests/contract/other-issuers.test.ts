import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

import { describe, expect, test } from "vitest";

import { CREATE_CLIENT, VERSIONS } from "./clients";
import { startAtlas } from "./rest-atlas";

const KEYS: Record<string, { publicKey: KeyObject; privateKey: KeyObject }> = {
  RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
};
const publicKeys = Object.entries(KEYS).map(([kid, { publicKey }]) => ({
  ...publicKey.export({ format: "jwk" }),
  kid,
}));

const atlas = startAtlas({ CAIRN_AUTH__VERIFICATION_KEYS: JSON.stringify(publicKeys) });

function signedToken(algorithm: string, kid: string): string {
  const claims = {
    sub: "7d1f3c5e-0b6a-4c7e-9f53-1d2b3a4c5e6f",
    role: "authenticated",
    exp: Math.trunc(Date.now() / 1000) + 600,
  };
  const content = [{ alg: algorithm, typ: "JWT", kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const key = KEYS[algorithm]?.privateKey;
  if (!key) throw new Error(`There is no key for ${algorithm}.`);
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

describe.each(VERSIONS)("tokens of another issuer, through the client %s", (version) => {
  const clientWith = (token: string) =>
    CREATE_CLIENT[version](atlas.url, atlas.key, {
      db: { schema: "atlas" as const },
      accessToken: async () => token,
    });

  test.each(["RS256", "ES256"])(
    "a token that is signed with %s and a listed key is accepted",
    async (algorithm) => {
      const client = clientWith(signedToken(algorithm, algorithm));

      const settings = await client.rpc("request_settings");
      const files = await client.storage.from("no-such-bucket").list();

      expect(settings.error).toBeNull();
      expect(settings.data).toMatchObject({ role: "authenticated" });
      expect(files.error).toBeNull();
    },
  );

  test("a token with the id of another key is refused", async () => {
    const settings = await clientWith(signedToken("RS256", "someone")).rpc("request_settings");

    expect(settings).toMatchObject({ status: 401, error: { code: "PGRST301" } });
  });
});
