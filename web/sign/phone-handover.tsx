import { standalonePath } from "./embedded";

/** Shows a QR code that opens this waiver on a phone, because drawing a signature is hard on a computer. */
export function PhoneHandover() {
  const qrCodeUrl = `${standalonePath()}/qr.svg${location.search}`;
  return (
    <details className="on-phone">
      <summary>Sign on your phone instead</summary>
      <img src={qrCodeUrl} alt="QR code that opens this waiver" loading="lazy" width="148" height="148" />
      <p>Point your phone's camera at the code. What you have typed here stays here.</p>
    </details>
  );
}
