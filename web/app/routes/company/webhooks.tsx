import { CodeSample } from "~/features/help/components/code-sample";
import { Section } from "~/features/help/components/page";
import { Deliveries } from "~/features/webhooks/components/deliveries";
import { Endpoints } from "~/features/webhooks/components/endpoints";
import { eventExample, formExample, verifyExample } from "~/features/webhooks/examples";
import { paths } from "~/paths";
import { PageHeader } from "~/ui/page-header";

export const meta = () => [{ title: "Webhooks · Cairn" }];

export default function Webhooks() {
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <PageHeader title="Webhooks">
        Each newly signed waiver is sent to your endpoint. The request is signed, so that you can verify that
        it comes from us.
      </PageHeader>
      <Endpoints kind="webhook" />
      <Deliveries kind="webhook" waiverPath={paths.waiver} />
      <Section id="sent" title="What is sent">
        <p>
          A POST with JSON. Respond with any status from 200 to 299 within ten seconds; redirects are not
          followed. A retry has the same <code>webhook-id</code>: store the ids you have processed, so that
          you can ignore duplicates.
        </p>
        <CodeSample label="Body">{eventExample(window.location.origin)}</CodeSample>
        <p>
          If the template asks questions, the body has version 2 and these additional fields:{" "}
          <code>answers</code> are those of the signer, by the keys of the questions. A signer who takes part
          is also one of the <code>participants</code>, and <code>flags</code> lists the flags of everyone.
          Photos and drawn initials are not sent, and answers to sensitive questions only if you choose that
          for the address.
        </p>
        <CodeSample label="Additional fields of a waiver with questions">{formExample}</CodeSample>
        <p>
          A test has the type <code>webhook.test</code>, the same fields, and made-up values.
        </p>
      </Section>
      <Section id="verify" title="Verify the signature">
        <p>
          The headers follow <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, for which there
          are libraries in many languages: <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
          <code>webhook-signature</code>, an HMAC with SHA-256 over id, timestamp and body, joined by dots.
          Without a library, verify it like this:
        </p>
        <CodeSample label="Node.js">{verifyExample}</CodeSample>
      </Section>
    </div>
  );
}
