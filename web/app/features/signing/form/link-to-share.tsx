import { useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { copyText } from "../../../lib/clipboard";

export type Recipient = { email: string } | { phone: string };

type Props = {
  /** The session that the link opens. */
  id: string;
  name: string;
  /** Sends the link, or is null if it cannot be sent from here. */
  send: ((recipient: Recipient) => Promise<void>) | null;
  /** Reads whether the link can be sent as a text message. */
  offersTextMessages: () => Promise<boolean>;
  isNew: boolean;
  /** Replaces the usual heading, which begins with the name. */
  heading?: string;
};

/** Shows the link with which someone else signs: as a QR code, to copy, and to send. */
export function LinkToShare({ id, name, send, offersTextMessages, isNew, heading }: Props) {
  const headingElement = useRef<HTMLHeadingElement>(null);
  const [copyMessage, setCopyMessage] = useState("");
  const [canSendTextMessage, setCanSendTextMessage] = useState(false);
  const path = `/waivers/sign/session/${id}`;
  const link = location.origin + path;
  // The button that made the link is gone, so the focus moves to the link.
  useLayoutEffect(() => {
    if (isNew) headingElement.current?.focus();
  }, [isNew]);
  useLayoutEffect(
    () => void offersTextMessages().then(setCanSendTextMessage, () => undefined),
    [offersTextMessages],
  );
  const copy = async () => setCopyMessage((await copyText(link)) ? "The link is copied." : link);
  return (
    <section className="invitation" aria-label={`Link for ${name}`}>
      <h3 ref={headingElement} tabIndex={-1}>
        {heading ?? (
          <>
            <bdi>{name}</bdi> signs with their own link
          </>
        )}
      </h3>
      <p>They scan this code with their phone, or get the link from you.</p>
      <img src={`${path}/qr.svg`} alt={`QR code that opens the waiver of ${name}`} width="148" height="148" />
      <button type="button" className="secondary" onClick={() => void copy()}>
        Copy the link
      </button>
      <output>{copyMessage}</output>
      {send && <SendField label={`Email of ${name}`} type="email" onSend={(email) => send({ email })} />}
      {send && canSendTextMessage && (
        <SendField label={`Mobile number of ${name}`} type="tel" onSend={(phone) => send({ phone })} />
      )}
    </section>
  );
}

type SendFieldProps = { label: string; type: "email" | "tel"; onSend: (recipient: string) => Promise<void> };

function SendField({ label, type, onSend }: SendFieldProps) {
  const [recipient, setRecipient] = useState("");
  const [sentTo, setSentTo] = useState("");
  const { isBusy, message, run } = useAction();
  const send = () =>
    run(
      async () => {
        await onSend(recipient.trim());
        setSentTo(recipient.trim());
      },
      recipient.trim() ? "" : type === "email" ? "Please enter an email address." : "Please enter a number.",
    );
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Enter must not go to the next step of the form.
    event.preventDefault();
    void send();
  };
  if (sentTo)
    return (
      <output>
        The link is on its way to <bdi>{sentTo}</bdi>.
      </output>
    );
  return (
    <div className="invitation-send">
      <label className="field">
        <span>{label}</span>
        <input
          type={type}
          value={recipient}
          maxLength={type === "email" ? 320 : 40}
          autoComplete="off"
          placeholder={type === "tel" ? "+1 212 555 0123" : undefined}
          onChange={(event) => setRecipient(event.target.value)}
          onKeyDown={sendOnEnter}
        />
      </label>
      <button type="button" className="secondary" aria-disabled={isBusy} onClick={() => void send()}>
        {isBusy ? "Sending..." : "Send the link"}
      </button>
      <output className="field-problem">{message}</output>
    </div>
  );
}

/** Runs one action at a time, and returns the text of its error. `obstacle` says why it cannot start yet. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState("");
  const run = async (action: () => Promise<void>, obstacle = "") => {
    if (isBusy) return;
    setMessage(obstacle);
    if (obstacle) return;
    setBusy(true);
    try {
      await action();
    } catch (error) {
      setMessage(error instanceof Error ? error.message : "");
    }
    setBusy(false);
  };
  return { isBusy, message, run };
}
