import { ownPath } from "./embedded";

/** At a desk, where drawing is hard: the same address for the phone. Its code is fetched when it is asked for. */
export function OnPhone() {
  const code = `${ownPath()}/qr.svg${location.search}`;
  return (
    <details className="on-phone">
      <summary>Sign on your phone instead</summary>
      <img src={code} alt="QR code that opens this waiver" loading="lazy" width="148" height="148" />
      <p>Point your phone's camera at the code. What you have typed here stays here.</p>
    </details>
  );
}
