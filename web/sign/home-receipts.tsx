import { useState } from "react";
import { Copies } from "./copies";
import { functionCaller, type CallFunction } from "./functions";
import { dropReceipt, keptReceipts, type KeptReceipt } from "./kept-receipts";

/** Shows above the front page what was signed in this browser during the last day. */
export function HomeReceipts({ anonKey }: { anonKey: string }) {
  const [receipts, setReceipts] = useState(keptReceipts);
  const [callFunction] = useState(() => functionCaller(anonKey));
  const close = (id: string) => {
    dropReceipt(id);
    setReceipts(keptReceipts());
  };
  return (
    <>
      {receipts.map((receipt) => (
        <HomeReceipt
          key={receipt.waiver.id}
          receipt={receipt}
          callFunction={callFunction}
          onClose={() => close(receipt.waiver.id)}
        />
      ))}
    </>
  );
}

type Props = { receipt: KeptReceipt; callFunction: CallFunction; onClose: () => void };

function HomeReceipt({ receipt: { waiver, company }, callFunction, onClose }: Props) {
  return (
    <section className="receipt" aria-label="Receipt">
      <h2>Waiver signed</h2>
      <p>
        <bdi>{waiver.signer_name}</bdi> has signed <bdi>{waiver.template_name}</bdi> for <bdi>{company}</bdi>.
      </p>
      <Copies callFunction={callFunction} waiver={waiver} onInteraction={() => {}} />
      <button type="button" className="close" onClick={onClose}>
        Close
      </button>
    </section>
  );
}
