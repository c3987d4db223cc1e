import { expect, test } from "vitest";
import type { ExportedParticipantRow } from "~/lib/database";
import type { DirectoryRow } from "./model";
import { participantLines } from "./participants-csv";

const ALL = { birthDates: true, flags: true, answers: true, sensitive: true };
const family: DirectoryRow = {
  id: "w1",
  type: "signed",
  templateId: "t1",
  templateName: "River day",
  name: "Gil Moreau",
  email: "gil@example.com",
  status: "signed",
  at: null,
  sessionId: "s1",
  minors: ["Mia Moreau"],
  flags: [],
  sortKey: "",
};
const contact = {
  key: "emergency",
  kind: "emergency_contact",
  label: "Emergency contact",
  answer: { name: "Ana", phone: "+1 555 0100" },
} as const;
const GIL: ExportedParticipantRow = {
  waiver_id: family.id,
  name: "Gil Moreau",
  birth_date: null,
  kind: "adult",
  flags: [],
  answers: [contact, { key: "asthma", kind: "yes_no", label: "Asthma?", answer: false }],
};
const MIA: ExportedParticipantRow = {
  waiver_id: family.id,
  name: "=Mia",
  birth_date: "2018-05-01",
  kind: "minor",
  flags: ["Asthma", "Cannot swim"],
  answers: [
    contact,
    { key: "asthma", kind: "yes_no", label: "Asthma?", answer: true },
    { key: "since", kind: "date", label: "Since when?", answer: "2020-01-31" },
    {
      key: "swims",
      kind: "one_of",
      label: "Swims?",
      options: [{ value: "no", label: "Not at all" }],
      answer: "no",
    },
  ],
};

test("FORM-38 each participant is a row with kind, birth date, flags and a column for each question", () => {
  const { header, lines } = participantLines([family], new Map([[family.id, [GIL, MIA]]]), ALL);

  expect(header).toBe(
    "\uFEFFTemplate,Recipient,Email,Status,Date,Participant,Kind,Birth date,Flags,Emergency contact,Asthma?,Since when?,Swims?\r\n",
  );
  const waiver = "River day,Gil Moreau,gil@example.com,Signed,N/A";
  expect(lines).toEqual([
    `${waiver},Gil Moreau,Adult,,,"Ana, +1 555 0100",No,,\r\n`,
    `${waiver},'=Mia,Minor,2018-05-01,"Asthma, Cannot swim","Ana, +1 555 0100",Yes,2020-01-31,Not at all\r\n`,
  ]);
});

test("FORM-38 only the chosen columns are in the file", () => {
  const none = { birthDates: false, flags: false, answers: false, sensitive: false };
  const people = new Map([[family.id, [MIA]]]);

  expect(participantLines([family], people, none).header).toMatch(/,Date,Participant\r\n$/);
  expect(participantLines([family], people, none).lines[0]).toMatch(/,N\/A,'=Mia\r\n$/);
  expect(participantLines([family], people, { ...none, flags: true }).header).toMatch(
    /,Participant,Flags\r\n$/,
  );
});

test("FORM-38 a waiver without a form has one participant, its signer, and an unsigned or erased one has none", () => {
  const pending: DirectoryRow = { ...family, type: "pending", status: "pending" };
  const erased: DirectoryRow = { ...family, status: "erased", name: "(erased)" };

  const { lines } = participantLines([family, pending, erased], new Map(), ALL);

  expect(lines.map((line) => line.trimEnd().split(",").slice(5))).toEqual([
    ["Gil Moreau", "Adult", "", ""],
    ["", "", "", ""],
    ["", "", "", ""],
  ]);
});

test("FORM-38 questions with the same label share a column, even if they belong to different templates", () => {
  const other = { ...family, id: "w2" };
  const ana = { ...GIL, waiver_id: "w2", answers: [{ ...contact, key: "contact", answer: { name: "Bo" } }] };
  const { header, lines } = participantLines(
    [family, other],
    new Map([
      [family.id, [{ ...GIL, answers: [contact, { ...contact, key: "second", answer: { name: "Cy" } }] }]],
      ["w2", [ana]],
    ]),
    ALL,
  );

  expect(header).toMatch(/,Flags,Emergency contact\r\n$/);
  expect(lines[0]).toMatch(/,"Ana, \+1 555 0100; Cy"\r\n$/);
  expect(lines[1]).toMatch(/,Bo\r\n$/);
});
