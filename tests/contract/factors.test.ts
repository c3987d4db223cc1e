import { createHmac } from "node:crypto";

import { describe, expect, test } from "vitest";

import { CLIENTS, connectWithToken, PASSWORD, type Person, SAMPLE, service, signUp, stranger } from "./cast";
import { joined } from "./waiting";

/** What an authenticator app shows (RFC 6238). */
function codeOf(secret: string, stepsAhead = 0): string {
  const bits = [...secret].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const digest = createHmac("sha1", Buffer.from(bytes)).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** The person proves an authenticator app; its code of this half minute is used up by that. */
async function withApp({ client }: Person): Promise<{ id: string; secret: string }> {
  const { data: factor } = await client.auth.mfa.enroll({ factorType: "totp" });
  if (!factor || factor.type !== "totp") throw new Error("no factor");
  const { id, totp } = factor;
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code: codeOf(totp.secret) });
  if (error) throw error;
  return { id, secret: totp.secret };
}

describe.each(CLIENTS)("second factors, through the client %s", (version, connect) => {
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
    const factor = await withApp(rosa);
    const bare = stranger(connect);
    await bare.auth.signInWithPassword({ email: rosa.email, password: PASSWORD });

    const level = await bare.auth.mfa.getAuthenticatorAssuranceLevel();
    const removed = await bare.auth.mfa.unenroll({ factorId: factor.id });
    const changed = await bare.auth.updateUser({ password: "ten rapids before noon" });

    expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    expect(removed.error).toMatchObject({ status: 422, code: "insufficient_aal" });
    expect(changed.error).toMatchObject({ status: 401, code: "insufficient_aal" });
  });

  test("a password alone reads and writes nothing of someone with a second factor", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { data: own } = await rosa.client.from("companies").select("id").single<{ id: string }>();
    const topic = `company:${own?.id}`;
    const factor = await withApp(rosa);
    const bare = stranger(connect);
    const { data } = await bare.auth.signInWithPassword({ email: rosa.email, password: PASSWORD });
    const [halfway, older] = [data.session?.access_token ?? "", rosa.token];

    for (const token of [halfway, older]) {
      const client = connectWithToken(version, token);
      await client.realtime.setAuth(token);
      expect((await client.from("profiles").select("id")).data).toEqual([]);
      expect((await client.from("companies").select("id")).data).toEqual([]);
      expect((await client.from("waiver_templates").select("id")).data).toEqual([]);
      const sending = { template_id: SAMPLE, recipient_name: "Gil", recipient_email: "gil@example.com" };
      const sent = await client.from("waiver_sessions").insert(sending);
      expect(sent.error?.message).toBe("Only a company can send waivers.");
      const pictures = client.storage.from("profile-pictures");
      expect((await pictures.upload(`${rosa.id}/me.png`, new Blob(["x"]))).error).not.toBeNull();
      await expect(joined(client.channel(topic, { config: { private: true } }))).rejects.toThrow(
        "You do not have permissions to read from this Channel topic",
      );
      await client.removeAllChannels();
    }

    await bare.auth.mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.secret, 1) });
    expect((await bare.from("companies").select("id")).data).toEqual([own]);
  });
});
