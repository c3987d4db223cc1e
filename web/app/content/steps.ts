export type Picture = { name: string; alt: string; shape: "desktop" | "phone" };
export type Step = { title: string; text: string; points: string[]; picture: Picture };

/** The steps follow a waiver from writing it to storing the signed record. */
export const STEPS: Step[] = [
  {
    title: "Write it once",
    text: "Start from a sample or from your lawyer’s text. Headings, lists and paragraphs stay as you wrote them.",
    points: [
      "[PARTICIPANT NAME] and [COMPANY NAME] are filled in for every guest",
      "A waiver that was already sent keeps its text",
    ],
    picture: {
      name: "templates",
      alt: "Add/Edit Waivers with three sample templates: liability, photography, medical",
      shape: "desktop",
    },
  },
  {
    title: "Send it where your guests are",
    text: "A name and an email address are enough. The guest gets an email with your company’s name and one button.",
    points: [
      "As a link, or as a PDF that can be filled in",
      "See whether the mail server accepted each email",
    ],
    picture: {
      name: "send",
      alt: "The Send Waiver dialog with first name, last name and email of a guest",
      shape: "desktop",
    },
  },
  {
    title: "They sign on the phone in their pocket",
    text: "The page is small, so it loads fast even on a weak signal. Guests draw with a finger or type their name, and have nothing to install.",
    points: [
      "Consent to sign electronically is requested separately, never ticked in advance",
      "A signature made without a connection is kept on the phone and sent later",
    ],
    picture: { name: "signing", alt: "A waiver on a phone with a signature drawn by finger", shape: "phone" },
  },
  {
    title: "See who is ready",
    text: "One dashboard for the morning. It updates by itself when someone signs.",
    points: [
      "Signed and pending at a glance, with names and dates",
      "Search by name, email address or template",
    ],
    picture: {
      name: "dashboard",
      alt: "The dashboard with numbers of signed and pending waivers and the most recent guests",
      shape: "desktop",
    },
  },
  {
    title: "Keep a record that holds",
    text: "Each signature becomes a sealed PDF. Its certificate page says when and how it was signed.",
    points: ["The guest gets a copy of the same document", "Anyone can check a copy, without an account"],
    picture: {
      name: "verify",
      alt: "The verify page saying that a document is sealed and unchanged",
      shape: "desktop",
    },
  },
];
