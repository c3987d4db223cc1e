import { createHmac } from "node:crypto";

import { describe, expect, test } from "vitest";

import { CLIENTS, PASSWORD, service, signUp, stranger } from "./cast";

/** What an authenticator app shows (RFC 6238). */
function codeOf(secret: string): string {
  const bits = [...secret].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", Buffer.from(bytes)).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

describe.each(CLIENTS)("second factors, through the client %s", (_version, connect) => {
  test("AUTH-24 AUTH-28 AUTH-32 a factor is enrolled, proven and removed, and MFA_CHALLENGE_VERIFIED is heard", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { mfa } = rosa.client.auth;
    const heard: string[] = [];
    rosa.client.auth.onAuthStateChange((event) => void heard.push(event));

    const { data: factor, error } = await mfa.enroll({ factorType: "totp", friendlyName: "app" });
    expect(error).toBeNull();
    if (!factor || factor.type !== "totp") throw new Error("no factor");
    expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /);
    const wrong = await mfa.challengeAndVerify({ factorId: factor.id, code: "not it" });
    const right = await mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.totp.secret) });
    const level = await mfa.getAuthenticatorAssuranceLevel();
    const listed = await mfa.listFactors();

    expect(wrong.error).toMatchObject({ status: 422, code: "mfa_verification_failed" });
    expect(right.error).toBeNull();
    expect(heard).toContain("MFA_CHALLENGE_VERIFIED");
    expect(level.data).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
    expect(listed.data?.totp.map((each) => each.id)).toEqual([factor.id]);
    const asked = await service(connect).auth.admin.mfa.listFactors({ userId: rosa.id });
    expect(asked.data?.factors.map((each) => each.id)).toEqual([factor.id]);

    expect((await mfa.unenroll({ factorId: factor.id })).error).toBeNull();
    expect((await mfa.listFactors()).data?.all).toEqual([]);
  });

  test("AUTH-24 a bare password is told that more is possible, and may not remove the factor", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { data: factor } = await rosa.client.auth.mfa.enroll({ factorType: "totp" });
    if (!factor || factor.type !== "totp") throw new Error("no factor");
    await rosa.client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.totp.secret) });
    const bare = stranger(connect);
    await bare.auth.signInWithPassword({ email: rosa.email, password: PASSWORD });

    const level = await bare.auth.mfa.getAuthenticatorAssuranceLevel();
    const removed = await bare.auth.mfa.unenroll({ factorId: factor.id });
    const changed = await bare.auth.updateUser({ password: "ten rapids before noon" });

    expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    expect(removed.error).toMatchObject({ status: 422, code: "insufficient_aal" });
    expect(changed.error).toMatchObject({ status: 401, code: "insufficient_aal" });
  });
});
