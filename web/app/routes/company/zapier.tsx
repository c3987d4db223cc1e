import { Link } from "react-router";
import { Section } from "~/features/help/components/page";
import { Deliveries } from "~/features/webhooks/components/deliveries";
import { Endpoints } from "~/features/webhooks/components/endpoints";
import { paths } from "~/paths";
import { PageHeader } from "~/ui/page-header";

export const meta = () => [{ title: "Zapier · Cairn" }];

export default function Zapier() {
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <PageHeader title="Zapier">
        Each newly signed waiver starts your Zap: a row in a spreadsheet, a message to the crew, a contact in
        your list.
      </PageHeader>
      <Endpoints kind="zapier" />
      <Section id="steps" title="How to connect">
        <ol>
          <li>
            In Zapier, create a Zap and choose <strong>Webhooks by Zapier</strong> as its trigger, with the
            event <strong>Catch Hook</strong>. Zapier offers it on its paid plans.
          </li>
          <li>
            Copy the webhook URL that Zapier shows you. It starts with{" "}
            <code className="wrap-anywhere">https://hooks.zapier.com/hooks/catch/</code>.
          </li>
          <li>
            On this page, press <strong>Connect a Zap</strong> and paste the URL.
          </li>
          <li>
            On this page, press <strong>Send a test</strong>, then test the trigger in Zapier: the test
            appears there with all its fields, <code>signer_name</code>, <code>signer_email</code>,{" "}
            <code>template_name</code>, <code>signed_at</code> and <code>waiver_url</code> among them.
          </li>
          <li>Build the rest of your Zap from these fields and publish it.</li>
        </ol>
        <p>
          If your templates ask questions, each participant has fields of their own, such as{" "}
          <code>participant_1_name</code>, <code>participant_1_flags</code> and{" "}
          <code>participant_1_answer_swims</code>, which ends with the key of the question.{" "}
          <code>participant_names</code> and <code>flags</code> are about everyone, and <code>answer_…</code>{" "}
          about the signer. Answers to sensitive questions are sent only if you choose that for the Zap.
        </p>
        <p>
          The field <code>type</code> is <code>webhook.test</code> for a test and, for a real signature,{" "}
          <code>waiver.signed</code>: a filter on it keeps tests out of your lists. For your own code, use{" "}
          <Link to={paths.webhooks}>Webhooks</Link>: your code can check that each request comes from us.
        </p>
      </Section>
      <Deliveries kind="zapier" waiverPath={paths.waiver} />
    </div>
  );
}
