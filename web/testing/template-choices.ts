import type { TemplateChoice } from "~/features/waivers/filter-choices";
import type { Question } from "~/lib/waiver-form/types";

const flaggedYesNo = (key: string, label: string, when: "yes" | "no", text: string): Question => ({
  key,
  kind: "yes_no",
  label,
  flag: { when, text },
});

const SWIM_OPTIONS = Object.entries({ well: "Well", badly: "Not well" }).map(([value, label]) => ({
  value,
  label,
}));

const ASTHMA = flaggedYesNo("asthma", "Do you have asthma?", "yes", "Asthma");

/** Two templates with questions, and one without. */
export const TEMPLATE_CHOICES: TemplateChoice[] = [
  {
    id: "bike",
    name: "Bike tour",
    questions: [ASTHMA, flaggedYesNo("helmet", "A helmet?", "no", "No helmet")],
  },
  { id: "plain", name: "Picnic", questions: [] },
  {
    id: "river",
    name: "River trip",
    questions: [
      { key: "emergency", kind: "emergency_contact", label: "Emergency contact" },
      ASTHMA,
      {
        key: "swims",
        kind: "one_of",
        label: "How well do you swim?",
        options: SWIM_OPTIONS,
        flag: { when: { one_of: ["badly"] }, text: "Cannot swim" },
      },
      { key: "terms", kind: "agreement", label: "I follow the guide." },
    ],
  },
];

/** The same templates as the server returns them. */
export const TEMPLATE_CHOICE_ROWS = TEMPLATE_CHOICES.map(({ id, name, questions }) => ({
  id,
  name,
  form: questions.length > 0 ? { questions } : null,
}));
