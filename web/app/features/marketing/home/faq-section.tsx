import { Scale } from "lucide-react";
import { FAQ } from "~/content/faq";
import { Notice } from "~/ui/notice";
import { Questions } from "../components/questions";
import { Section } from "../components/section";
import { StructuredData } from "../components/structured-data";

const STRUCTURED_DATA = {
  "@type": "FAQPage",
  mainEntity: FAQ.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer },
  })),
};

export function FaqSection() {
  return (
    <Section title="Questions we would ask, too">
      <Questions questions={FAQ} />
      <StructuredData data={STRUCTURED_DATA} />
      <div className="mt-12">
        <Notice icon={Scale} title="Before you use a waiver:">
          have your legal adviser review its final text. Cairn gives you the tool and the samples, not legal
          advice.
        </Notice>
      </div>
    </Section>
  );
}
