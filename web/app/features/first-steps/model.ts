import { paths } from "~/paths";

/** What the company has already done, derived from its data. */
export type Progress = { hasTemplate: boolean; hasSent: boolean; hasSigned: boolean };

export type Step = { title: string; description: string; isDone: boolean; to: string; action: string };

/** Sending a sample also completes the step before it, because no own template is needed. */
export function firstSteps({ hasTemplate, hasSent, hasSigned }: Progress): Step[] {
  return [
    {
      title: "Name your company",
      description: "It appears in every waiver.",
      isDone: true,
      to: paths.profile,
      action: "Change it",
    },
    {
      title: "Write a waiver, or take a sample",
      description: "Three samples are ready; adapt their text to your needs.",
      isDone: hasTemplate || hasSent,
      to: paths.templates,
      action: "See the waivers",
    },
    {
      title: "Send the first one",
      description: "To yourself, for a start: it takes a name and an address.",
      isDone: hasSent,
      to: paths.templates,
      action: "Choose and send",
    },
    {
      title: "See it signed",
      description: "Open the link on your phone and sign; it appears here automatically.",
      isDone: hasSigned,
      to: paths.directory,
      action: "See who has signed",
    },
  ];
}
