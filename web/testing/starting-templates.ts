import type { StartingTemplate } from "~/features/templates/starting-templates";

export const RAFTING: StartingTemplate = {
  id: "rafting",
  name: "Whitewater waiver",
  activity: "Rafting",
  group: "On the water",
  description: "A trip by raft.",
  lawyer: "Which permits do we need?",
  content: "I wear a life vest.",
  form: {
    covers: { minors: {} },
    questions: [
      { key: "your_health", kind: "heading", label: "Your health" },
      { key: "do_you_swim", kind: "yes_no", label: "Do you swim?" },
    ],
  },
};

export const CLIMBING: StartingTemplate = {
  id: "climbing",
  name: "Climbing waiver",
  activity: "Climbing",
  group: "On land",
  description: "On rock and on walls.",
  lawyer: "Who owns the rock?",
  content: "I check my rope.",
  form: { questions: [{ key: "birth_date", kind: "birth_date", label: "Birth date" }] },
};
