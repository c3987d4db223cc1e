type Service = { address: string; key: string };

/** A test runs both examples unchanged. They read email and password from the environment. */
export const curlExample = ({
  address,
  key,
}: Service): string => `# CAIRN_EMAIL and CAIRN_PASSWORD are those you sign in with.
TOKEN=$(curl -s '${address}/auth/v1/token?grant_type=password' \\
  -H 'apikey: ${key}' -H 'Content-Type: application/json' \\
  -d "{\\"email\\": \\"$CAIRN_EMAIL\\", \\"password\\": \\"$CAIRN_PASSWORD\\"}" \\
  | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')

curl -s '${address}/rest/v1/signed_waivers?select=signer_name,signer_email,signed_at&order=signed_at.desc&limit=10' \\
  -H 'apikey: ${key}' -H "Authorization: Bearer $TOKEN"`;

export const javascriptExample = ({ address, key }: Service): string => `// npm install @supabase/supabase-js
import { createClient } from "@supabase/supabase-js";

const cairn = createClient("${address}", "${key}");
await cairn.auth.signInWithPassword({
  email: process.env.CAIRN_EMAIL,
  password: process.env.CAIRN_PASSWORD,
});

const { data: waivers } = await cairn
  .from("signed_waivers")
  .select("signer_name, signer_email, signed_at")
  .order("signed_at", { ascending: false })
  .limit(10);
console.log(JSON.stringify(waivers));

// Each new waiver, as soon as it is signed:
cairn
  .channel("new-waivers")
  .on("postgres_changes", { event: "INSERT", schema: "public", table: "signed_waivers" }, ({ new: waiver }) =>
    console.log("signed by", waiver.signer_name),
  )
  .subscribe((status) => console.log(status));`;
