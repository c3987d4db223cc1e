import type { NewQuestion } from "./changes";

export type Block = { name: string; questions: NewQuestion[] };

const HAS_MEDICAL_CONDITION = "Do you have a medical condition that we should know about?";
const TAKES_MEDICATION = "Do you take medication?";

/** Questions that many companies ask. A condition contains the label of an earlier question of its block. */
export const BLOCKS: Block[] = [
  {
    name: "Emergency contact",
    questions: [
      {
        kind: "emergency_contact",
        label: "Emergency contact",
        help: "Someone we can call who does not take part.",
        required: true,
      },
    ],
  },
  {
    name: "Medical questions",
    questions: [
      { kind: "heading", label: "Your health", asked_of: "participant" },
      {
        kind: "yes_no",
        label: HAS_MEDICAL_CONDITION,
        help: "For example asthma, a heart condition, epilepsy, diabetes or pregnancy.",
        asked_of: "participant",
        required: true,
        sensitive: true,
        flag: { when: "yes", text: "Medical condition" },
      },
      {
        kind: "long_text",
        label: "Please describe it",
        asked_of: "participant",
        required: true,
        sensitive: true,
        show_if: { question: HAS_MEDICAL_CONDITION, is: true },
      },
      {
        kind: "long_text",
        label: "Allergies",
        help: "Leave this empty if there are none.",
        asked_of: "participant",
        sensitive: true,
        flag: { when: "filled", text: "Allergies" },
      },
      {
        kind: "yes_no",
        label: TAKES_MEDICATION,
        asked_of: "participant",
        required: true,
        sensitive: true,
      },
      {
        kind: "long_text",
        label: "Which medication?",
        asked_of: "participant",
        required: true,
        sensitive: true,
        show_if: { question: TAKES_MEDICATION, is: true },
      },
    ],
  },
  {
    name: "Swimming ability",
    questions: [
      {
        kind: "one_of",
        label: "How well do you swim?",
        asked_of: "participant",
        required: true,
        options: [
          { value: "not_at_all", label: "Not at all" },
          { value: "a_little", label: "A little" },
          { value: "well", label: "Well" },
        ],
        flag: { when: { one_of: ["not_at_all"] }, text: "Cannot swim" },
      },
    ],
  },
  {
    name: "Birth date",
    questions: [{ kind: "birth_date", label: "Birth date", asked_of: "signer", required: true }],
  },
  {
    name: "Address",
    questions: [{ kind: "address", label: "Address", required: true }],
  },
  {
    name: "Photo permission",
    questions: [
      {
        kind: "yes_no",
        label: "May we use photos and videos in which you can be seen?",
        asked_of: "participant",
        required: true,
        flag: { when: "no", text: "No photos" },
      },
    ],
  },
  {
    name: "How did you hear of us?",
    questions: [
      {
        kind: "one_of",
        label: "How did you hear of us?",
        options: [
          { value: "friends", label: "Friends or family" },
          { value: "search", label: "Internet search" },
          { value: "social_media", label: "Social media" },
          { value: "hotel", label: "Hotel or tourist office" },
          { value: "other", label: "Other" },
        ],
      },
    ],
  },
];
