/** The page shows this code to companies. A test in tests/e2e runs it unchanged. */
export const verifyExample = `import { createHmac, timingSafeEqual } from "node:crypto";

// headers: names in lower case. body: the raw text, before any JSON.parse.
export function isFromCairn(headers, body, secret) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;

  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const hmac = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`);
  const expected = Buffer.from("v1," + hmac.digest("base64"));

  const signatures = headers["webhook-signature"].split(" ").map((text) => Buffer.from(text));
  const isSigned = signatures.some(
    (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
  );
  return isRecent && isSigned;
}`;

/** These fields are added if the template of the waiver asks questions. */
export const formExample = JSON.stringify(
  {
    version: 2,
    data: {
      answers: { emergency: { name: "Ana Okafor", phone: "+1 555 0100", relationship: "sister" } },
      guardian: { relationship: "father", has_authority: true },
      participants: [
        {
          id: "5f0d9b1e-7a44-4f43-9d63-6f1c7f0b9a04",
          name: "Mia Okafor",
          birth_date: "2017-05-01",
          kind: "minor",
          answers: { swims: "badly" },
          flags: [{ question: "swims", text: "Cannot swim well" }],
        },
      ],
      flags: [{ name: "Mia Okafor", question: "swims", text: "Cannot swim well" }],
    },
  },
  null,
  2,
);

export const eventExample = (origin: string): string =>
  JSON.stringify(
    {
      id: "0b9c6f6e-5c0b-5d5e-9d0e-3f1f6a2c7b11",
      type: "waiver.signed",
      timestamp: "2026-06-01T09:30:12.418Z",
      data: {
        waiver_id: "4a1e1f0c-58a3-4f0e-8a57-0f5f2f6f8c01",
        session_id: "8d2f7a52-6c1b-4c55-9a7e-2b7c8e9d1f02",
        company_id: "c7c0a3de-1f7e-4b6a-8f0b-6f3f1b2a4d03",
        template_id: "template-general-liability",
        template_name: "General Liability Waiver",
        template_version: 1,
        signer_name: "Gil Okafor",
        signer_email: "gil@example.com",
        signed_at: "2026-06-01T09:30:12.418Z",
        record_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        waiver_url: `${origin}/dashboard/waiver-management?waiver=8d2f7a52-6c1b-4c55-9a7e-2b7c8e9d1f02`,
      },
    },
    null,
    2,
  );
