import { paths } from "~/paths";

/** What is there already, read from the rows themselves. */
export type Facts = { hasTemplate: boolean; hasSent: boolean; hasSigned: boolean };

export type Step = { title: string; about: string; isDone: boolean; to: string; action: string };

/** Sending one of the samples counts as taking it, so it ticks the step before it too. */
export function stepsOf({ hasTemplate, hasSent, hasSigned }: Facts): Step[] {
  return [
    {
      title: "Name your company",
      about: "It stands in every waiver.",
      isDone: true,
      to: paths.profile,
      action: "Change it",
    },
    {
      title: "Write a waiver, or take a sample",
      about: "Three samples are ready; change their words to yours.",
      isDone: hasTemplate || hasSent,
      to: paths.templates,
      action: "See the waivers",
    },
    {
      title: "Send the first one",
      about: "To yourself, for a start: it takes a name and an address.",
      isDone: hasSent,
      to: paths.templates,
      action: "Choose and send",
    },
    {
      title: "See it signed",
      about: "Open the link on your phone and sign; it appears here by itself.",
      isDone: hasSigned,
      to: paths.directory,
      action: "See who has signed",
    },
  ];
}
