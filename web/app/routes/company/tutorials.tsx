import { Link } from "react-router";
import { Lesson } from "~/features/help/components/lesson";
import { PageHeader } from "~/ui/page-header";
import { paths } from "~/paths";

export const meta = () => [{ title: "Tutorials · Cairn" }];

export default function Tutorials() {
  return (
    <div className="flex max-w-5xl flex-col gap-6">
      <PageHeader title="Tutorials">
        Five short videos with captions. The same steps are written below each of them.
      </PageHeader>
      <Lesson id="first" title="Your first waiver, from an empty page to a signature">
        <li>
          Open <Link to={paths.templates}>Add/Edit Waivers</Link> and press Create Waiver, or take one of the
          three samples.
        </li>
        <li>
          Give it a name and paste your text. Put the cursor where the guest’s name belongs and press
          Participant name. The preview shows what the guest will read.
        </li>
        <li>Save it, press Send on its card, and write your own email address as the recipient.</li>
        <li>Open the email on your phone, follow the link and sign. You see what your guests will see.</li>
        <li>
          Back on the <Link to={paths.dashboard}>Dashboard</Link> the waiver has turned to Signed
          automatically.
        </li>
      </Lesson>
      <Lesson id="send" title="Send a waiver to a guest">
        <li>
          On <Link to={paths.templates}>Add/Edit Waivers</Link> press Send on the card of the waiver.
        </li>
        <li>Write the guest’s name and email. Add a message if you like: it appears above the link.</li>
        <li>
          Tick Send as interactive PDF if the guest wants to read it as a file. The link to sign is in the
          mail all the same.
        </li>
        <li>
          Watch Recently sent below the cards: Sending becomes Delivered, or Failed with the reason and the
          button Send again.
        </li>
      </Lesson>
      <Lesson id="in-person" title="Have it signed in person">
        <li>
          On the card of the waiver open the menu and choose Sign on this device. On a tablet the guest can
          hold it.
        </li>
        <li>The guest writes name and email, reads, draws the signature and presses Sign Waiver.</li>
        <li>
          Or choose Copy signing link and put it on a poster as a QR code: everyone who opens it signs their
          own waiver.
        </li>
      </Lesson>
      <Lesson id="morning" title="A morning at the office">
        <li>
          Open <Link to={paths.directoryStatus("pending")}>Waiver Management, filtered to Pending</Link>:
          these guests have not signed.
        </li>
        <li>Tick those who come today and press Remind.</li>
        <li>
          Leave the page open. A guest who signs disappears from the list and appears in your notifications.
        </li>
        <li>Search for a name, an email or a template when someone asks about their waiver.</li>
      </Lesson>
      <Lesson id="proof" title="Prove what was signed">
        <li>
          Find the guest in <Link to={paths.directory}>Waiver Management</Link> and press Download.
        </li>
        <li>The PDF holds the text, the signature and a page that shows when and how it was signed.</li>
        <li>
          Drop the file on the <Link to={paths.verify}>verification page</Link>. Anyone can do that, without
          an account: it says whether the file is the sealed, unchanged record.
        </li>
      </Lesson>
    </div>
  );
}
