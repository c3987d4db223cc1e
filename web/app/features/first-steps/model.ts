import { paths } from "~/paths";

/** The progress is derived from the company's data. */
export type Progress = { hasTemplate: boolean; hasSent: boolean; hasSigned: boolean };

export type Step = { title: string; description: string; isDone: boolean; to: string; action: string };

/** A company that has sent a sample does not need its own template, so that step counts as done. */
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
