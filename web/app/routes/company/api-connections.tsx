import { CodeSample } from "~/features/help/components/code-sample";
import { ReadingPage, Section } from "~/features/help/components/page";
import { curlExample, javascriptExample } from "~/features/help/examples";
import { anonKey } from "~/lib/anon-key";

export const meta = () => [{ title: "API Connections · Cairn" }];

export default function ApiConnections() {
  const service = { address: window.location.origin, key: anonKey() };
  return (
    <ReadingPage
      title="API Connections"
      intro="Use any Supabase client or plain HTTP to read and write your data."
    >
      <Section id="service" title="Address and key">
        <CodeSample label="Service address">{service.address}</CodeSample>
        <CodeSample label="Public anonymous key">{service.key}</CodeSample>
        <p>
          The key is public: it identifies the service, not the user. What a program may see is decided by the
          account it signs in with, which is limited to your own company’s data. Keep the password out of web
          pages.
        </p>
      </Section>
      <Section id="curl" title="Read your waivers from the command line">
        <CodeSample label="curl">{curlExample(service)}</CodeSample>
      </Section>
      <Section id="javascript" title="Read and follow them from JavaScript">
        <CodeSample label="JavaScript">{javascriptExample(service)}</CodeSample>
      </Section>
    </ReadingPage>
  );
}
