import { Link } from "react-router";
import { ReadingPage, Section } from "~/features/help/components/page";
import { paths } from "~/paths";

export const meta = () => [{ title: "Tutorial Videos · Cairn" }];

export default function Tutorials() {
  return (
    <ReadingPage
      title="Tutorial Videos"
      intro="The videos are not recorded yet. Until they are, these are the same lessons step by step."
    >
      <Section id="first" title="Your first waiver, from an empty page to a signature">
        <ol>
          <li>
            Open <Link to={paths.templates}>Add/Edit Waivers</Link> and press Create Waiver, or take one of
            the three samples.
          </li>
          <li>Give it a name and paste your text. Put [PARTICIPANT NAME] where the guest’s name belongs.</li>
          <li>Save it, press Send on its card, and write your own email address as the recipient.</li>
          <li>Open the mail on your phone, follow the link and sign. You see what your guests will see.</li>
          <li>
            Back on the <Link to={paths.dashboard}>Dashboard</Link> the waiver has turned to Signed by itself.
          </li>
        </ol>
      </Section>
      <Section id="morning" title="A morning at the desk">
        <ol>
          <li>
            Open <Link to={paths.directoryPending}>Waiver Management, filtered to Pending</Link>: these guests
            have not signed.
          </li>
          <li>Tick those who come today and press Remind.</li>
          <li>Leave the page open. Whoever signs disappears from the list and appears in the bell.</li>
          <li>Search for a name, an email or a template when someone asks about their waiver.</li>
        </ol>
      </Section>
      <Section id="proof" title="Proving what was signed">
        <ol>
          <li>
            Find the guest in <Link to={paths.directory}>Waiver Management</Link> and press Download.
          </li>
          <li>The PDF holds the text, the signature and a page that tells when and how it was signed.</li>
          <li>
            Drop the file on the <Link to={paths.verify}>verification page</Link>. Anyone can do that, without
            an account: it says whether the file is the sealed, unchanged record.
          </li>
        </ol>
      </Section>
    </ReadingPage>
  );
}
