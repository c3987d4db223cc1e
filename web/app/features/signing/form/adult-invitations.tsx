import { useLayoutEffect, useRef, useState } from "react";
import { newId } from "../../../lib/new-id";
import { ageOfMajority, ageOn, isBirthDate } from "../../../lib/waiver-form/ages";
import type { Form } from "../../../lib/waiver-form/types";
import { moveToInvited, type FormDraft, type InvitedAdult, type MinorDraft } from "./form-draft";
import { LinkToShare, useAction, type Recipient } from "./link-to-share";

/** What the page does for an adult. Each function throws an error with a text for the guest if it fails. */
export type InvitationApi = {
  /** Returns the id of the guest's own session. On the page of a template, the first call creates it. */
  openSession: (formDraft: FormDraft) => Promise<string>;
  invite: (sessionId: string, adult: InvitedAdult & { birthDate: string }) => Promise<void>;
  send: (sessionId: string, invitedId: string, recipient: Recipient) => Promise<void>;
  /** Reads whether links can be sent as text messages. */
  offersTextMessages: () => Promise<boolean>;
  /** False if the waiver belongs to no company, because links are sent in the name of a company. */
  canSend: boolean;
};

/** What the steps of the form pass to the component that shows the invitations. */
export type InvitationsProps = {
  form: Form;
  formDraft: FormDraft;
  onFormDraft: (formDraft: FormDraft) => void;
  today: string;
};
type Props = InvitationsProps & { api: InvitationApi };

/**
 * An adult is never covered by the signature of someone else. Offers each adult among the children a link of their own,
 * and shows the links of those who got one.
 */
export function AdultInvitations(props: Props) {
  const { form, formDraft, today, api } = props;
  // The guest may go on typing while the server responds.
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const change = (changed: (draft: FormDraft) => FormDraft) =>
    latest.current.onFormDraft(changed(latest.current.formDraft));
  // If a response is lost, the second attempt has the same id, so that the adult gets only one link.
  const ids = useRef(new Map<string, string>());
  const [newest, setNewest] = useState("");
  const adults = formDraft.minors.filter(({ birthDate }) => isAdult(form, birthDate, today));
  const invite = async (adult: MinorDraft) => {
    const personKey = adult.name + adult.birthDate;
    const id = ids.current.get(personKey) ?? newId();
    ids.current.set(personKey, id);
    const invitedAdult = { id, name: adult.name.trim() };
    const sessionId = await api.openSession(formDraft);
    change((draft) => ({ ...draft, sessionId }));
    await api.invite(sessionId, { ...invitedAdult, birthDate: adult.birthDate });
    setNewest(id);
    change((draft) => ({ ...moveToInvited(draft, adult, invitedAdult), sessionId }));
  };
  return (
    <div className="invitations">
      {adults.map((adult, position) => (
        <Offer
          key={position}
          adult={adult}
          age={ageOn(today, adult.birthDate)}
          onInvite={() => invite(adult)}
        />
      ))}
      {formDraft.invited?.map((adult) => (
        <LinkToShare
          key={adult.id}
          {...adult}
          send={api.canSend ? (to) => api.send(formDraft.sessionId ?? "", adult.id, to) : null}
          offersTextMessages={api.offersTextMessages}
          isNew={adult.id === newest}
        />
      ))}
    </div>
  );
}

const isAdult = (form: Form, birthDate: string, today: string) =>
  isBirthDate(birthDate, today) && ageOn(today, birthDate) >= ageOfMajority(form);

type OfferProps = { adult: MinorDraft; age: number; onInvite: () => Promise<void> };

function Offer({ adult, age, onInvite }: OfferProps) {
  const { name } = adult;
  const { isBusy, message, run } = useAction();
  return (
    <section className="invitation" aria-label={name}>
      <p>
        <bdi>{name}</bdi> is {age} years old and signs on their own: your signature cannot cover an adult.
        Give them a link of their own, and go on with the others.
      </p>
      <button type="button" className="secondary" aria-disabled={isBusy} onClick={() => void run(onInvite)}>
        {isBusy ? "Making the link..." : "Make their own link"}
      </button>
      <output className="field-problem">{message}</output>
    </section>
  );
}
