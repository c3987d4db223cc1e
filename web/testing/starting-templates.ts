import type { StartingTemplate } from "~/features/templates/starting-templates";

export const RAFTING: StartingTemplate = {
  id: "rafting",
  name: "Whitewater waiver",
  activity: "Rafting",
  group: "On the water",
  description: "A trip by raft.",
  lawyer: "Which permits do we need?",
  content: "I wear a life vest.",
};

export const CLIMBING: StartingTemplate = {
  id: "climbing",
  name: "Climbing waiver",
  activity: "Climbing",
  group: "On land",
  description: "On rock and on walls.",
  lawyer: "Who owns the rock?",
  content: "I check my rope.",
};
