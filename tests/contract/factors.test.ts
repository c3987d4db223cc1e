import { createHmac } from "node:crypto";

import { describe, expect, test } from "vitest";

import {
  CLIENTS,
  connectWithToken,
  PASSWORD,
  type Person,
  SAMPLE_TEMPLATE,
  serviceClient,
  signUp,
  anonymousClient,
} from "./people";
import { joinChannel } from "./waiting";

/** Returns the code that an authenticator app shows (RFC 6238) now, or `stepsAhead` half minutes later. */
function totpCode(secret: string, stepsAhead = 0): string {
  const bits = [...secret].map((character) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character).toString(2).padStart(5, "0"),
  );
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const digest = createHmac("sha1", Buffer.from(bytes)).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Enrolls an authenticator app. Its code of the current half minute cannot be used again afterwards. */
async function enrollApp({ client }: Person): Promise<{ id: string; secret: string }> {
  const { data: factor } = await client.auth.mfa.enroll({ factorType: "totp" });
  if (!factor || factor.type !== "totp") throw new Error("no factor");
  const { id, totp } = factor;
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(totp.secret) });
  if (error) throw error;
  return { id, secret: totp.secret };
}

describe.each(CLIENTS)("second factors, through the client %s", (version, connect) => {
  test("AUTH-24 AUTH-28 AUTH-32 a factor is enrolled, verified and removed", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { mfa } = rosa.client.auth;
    const events: string[] = [];
    rosa.client.auth.onAuthStateChange((event) => void events.push(event));

    const { data: factor, error } = await mfa.enroll({ factorType: "totp", friendlyName: "app" });
    expect(error).toBeNull();
    if (!factor || factor.type !== "totp") throw new Error("no factor");
    expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /);
    const wrongCode = await mfa.challengeAndVerify({ factorId: factor.id, code: "not it" });
    const rightCode = await mfa.challengeAndVerify({
      factorId: factor.id,
      code: totpCode(factor.totp.secret),
    });
    const level = await mfa.getAuthenticatorAssuranceLevel();
    const ownList = await mfa.listFactors();

    expect(wrongCode.error).toMatchObject({ status: 422, code: "mfa_verification_failed" });
    expect(rightCode.error).toBeNull();
    expect(events).toContain("MFA_CHALLENGE_VERIFIED");
    expect(level.data).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
    expect(ownList.data?.totp.map(({ id }) => id)).toEqual([factor.id]);
    const adminList = await serviceClient(connect).auth.admin.mfa.listFactors({ userId: rosa.id });
    expect(adminList.data?.factors.map(({ id }) => id)).toEqual([factor.id]);

    expect((await mfa.unenroll({ factorId: factor.id })).error).toBeNull();
    expect((await mfa.listFactors()).data?.all).toEqual([]);
  });

  test("AUTH-24 with only the password the level is aal1, and the factor cannot be removed", async () => {
    const rosa = await signUp(connect, "Rosa");
    const factor = await enrollApp(rosa);
    const passwordOnly = anonymousClient(connect);
    await passwordOnly.auth.signInWithPassword({ email: rosa.email, password: PASSWORD });

    const level = await passwordOnly.auth.mfa.getAuthenticatorAssuranceLevel();
    const removal = await passwordOnly.auth.mfa.unenroll({ factorId: factor.id });
    const passwordChange = await passwordOnly.auth.updateUser({ password: "ten rapids before noon" });

    expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    expect(removal.error).toMatchObject({ status: 422, code: "insufficient_aal" });
    expect(passwordChange.error).toMatchObject({ status: 401, code: "insufficient_aal" });
  });

  test("a user with a second factor cannot access data with only the password", async () => {
    const rosa = await signUp(connect, "Rosa");
    const { data: company } = await rosa.client.from("companies").select("id").single<{ id: string }>();
    const topic = `company:${company?.id}`;
    const factor = await enrollApp(rosa);
    const passwordOnly = anonymousClient(connect);
    const { data } = await passwordOnly.auth.signInWithPassword({ email: rosa.email, password: PASSWORD });
    const passwordToken = data.session?.access_token ?? "";
    const tokenFromBeforeEnrolment = rosa.token;

    for (const token of [passwordToken, tokenFromBeforeEnrolment]) {
      const client = connectWithToken(version, token);
      await client.realtime.setAuth(token);
      expect((await client.from("profiles").select("id")).data).toEqual([]);
      expect((await client.from("companies").select("id")).data).toEqual([]);
      expect((await client.from("waiver_templates").select("id")).data).toEqual([]);
      const session = {
        template_id: SAMPLE_TEMPLATE,
        recipient_name: "Gil",
        recipient_email: "gil@example.com",
      };
      const insertion = await client.from("waiver_sessions").insert(session);
      expect(insertion.error?.message).toBe("Only a company can send waivers.");
      const pictures = client.storage.from("profile-pictures");
      expect((await pictures.upload(`${rosa.id}/me.png`, new Blob(["x"]))).error).not.toBeNull();
      await expect(joinChannel(client.channel(topic, { config: { private: true } }))).rejects.toThrow(
        "You do not have permissions to read from this Channel topic",
      );
      await client.removeAllChannels();
    }

    await passwordOnly.auth.mfa.challengeAndVerify({ factorId: factor.id, code: totpCode(factor.secret, 1) });
    expect((await passwordOnly.from("companies").select("id")).data).toEqual([company]);
  });
});
