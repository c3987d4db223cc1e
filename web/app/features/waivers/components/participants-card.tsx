import { Flag } from "lucide-react";
import { ageOn, dayOf } from "~/lib/waiver-form/ages";
import { answerText } from "~/lib/waiver-form/answer-text";
import { toAnswer } from "~/lib/waiver-form/parse";
import type { Form } from "~/lib/waiver-form/types";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";
import { TitledCard } from "~/ui/titled-card";
import { useParticipants, type Participant } from "../api/participants";
import type { SignedRecord } from "../api/signed-waiver";
import { Detail } from "./detail";

/** Lists who is covered by a waiver with a form, what they answered, and what staff should know before the activity. */
export function ParticipantsCard({ waiver }: { waiver: SignedRecord }) {
  const { data, isError, refetch } = useParticipants(waiver);
  if (isError && data === undefined)
    return (
      <Card>
        <Failure title="Failed to load the participants" onRetry={() => void refetch()}>
          The server did not answer. Nothing was lost.
        </Failure>
      </Card>
    );
  if (!data) return null;
  const signedOn = dayOf(new Date(waiver.signed_at));
  return (
    <TitledCard title="Participants">
      <ul className="mt-5 flex flex-col gap-6">
        {data.people.map((person) => (
          <li key={person.id} className="flex flex-col gap-3">
            <PersonDetails person={person} form={data.form} signedOn={signedOn} />
          </li>
        ))}
      </ul>
    </TitledCard>
  );
}

type PersonProps = { person: Participant; form: Form; signedOn: string };

function PersonDetails({ person, form, signedOn }: PersonProps) {
  const age = person.birth_date === null ? null : ageOn(signedOn, person.birth_date);
  const answered = form.questions.filter(({ key }) => key in person.answers);
  return (
    <>
      <div>
        <h3 className="font-medium">
          <bdi>{person.name}</bdi>
        </h3>
        <p className="text-sm text-muted">
          {person.kind === "minor" ? "Minor" : "Adult"}
          {age !== null && `, ${age} years old when signed`}
        </p>
      </div>
      {person.flags.length > 0 && (
        <ul aria-label={`Flags of ${person.name}`} className="flex flex-wrap gap-2">
          {person.flags.map(({ question, text }) => (
            <li key={question}>
              <Badge tone="amber">
                <Flag aria-hidden /> {text}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {answered.length > 0 && (
        <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-1">
          {answered.map((question) => (
            <Detail key={question.key} name={question.label}>
              {answerText(question, toAnswer(person.answers[question.key]))}
            </Detail>
          ))}
        </dl>
      )}
    </>
  );
}
