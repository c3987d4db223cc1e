import { Link } from "react-router";
import { ReadingPage, Section } from "~/features/help/components/page";
import { useIsTextingOffered } from "~/lib/texting";
import { paths } from "~/paths";

export const meta = () => [{ title: "Documentation · Cairn" }];

const CONTENTS = {
  write: "Write a waiver",
  send: "Send it",
  follow: "See who has signed",
  remind: "Remind those who have not",
  inPerson: "Sign in person",
  keep: "Download, verify, export",
  mail: "Use your own email provider",
  connect: "Integrations",
  keys: "Keyboard shortcuts",
};

export default function Documentation() {
  const isTextingOffered = useIsTextingOffered();
  return (
    <ReadingPage title="Documentation" intro="Everything you need, in the order of a normal day.">
      <nav aria-label="On this page" className="flex flex-wrap gap-x-5 gap-y-1">
        {Object.entries(CONTENTS).map(([id, title]) => (
          <a
            key={id}
            href={`#${id}`}
            className="inline-flex min-h-11 items-center font-medium text-forest-text underline underline-offset-4 md:min-h-8"
          >
            {title}
          </a>
        ))}
      </nav>
      <Section id="write" title={CONTENTS.write}>
        <p>
          A template is written once under <Link to={paths.templates}>Add/Edit Waivers</Link> and sent as
          often as you like. Its text may have headings (<code># Before we go</code>), lists (
          <code>- a life vest</code>) and <code>**bold**</code> text; plain text is fine, too.
        </p>
        <p>
          You can start from a blank page or from a gallery of templates for activities such as rafting,
          climbing and cycling. The templates are drafts: fill in the texts in square brackets, and have a
          lawyer review them.
        </p>
        <p>
          Two placeholders are filled in for each guest: <code>[PARTICIPANT NAME]</code> and{" "}
          <code>[COMPANY NAME]</code>. Have a legal adviser review the final text: we store and seal it, but
          we do not check it.
        </p>
        <p>
          Under Questions you add questions to a template, such as an emergency contact, and choose whom one
          signature covers.
        </p>
        <p>
          Changing a template changes what you send from then on. A waiver that is already with a guest keeps
          its text. Every save is a version: the history of a template shows who wrote which one, and brings
          any of them back. Archive a template you no longer use; what was sent from it can still be signed.
        </p>
      </Section>
      <Section id="send" title={CONTENTS.send}>
        <p>
          On a template’s card, choose Send and enter the guest’s name, email and, if you like, a message. The
          guest gets an email with a personal link and signs on any phone, without an account. Send as PDF
          attaches a fillable copy.
        </p>
        <p>
          To write to many guests at once, choose Send to a list in the menu of the card. Paste the rows of a
          spreadsheet or choose a CSV file, up to 500 people. You see each of them as they will be stored, and
          what has to be fixed, before anything is sent. If the connection is lost, you continue where you
          were, and no one gets two emails.
        </p>
        {isTextingOffered && (
          <p>
            If you enter a mobile number with its country code, the guest also gets the link as a text
            message. The list below the templates shows whether it was delivered and lets you send it again.
            In your company settings you can choose that guests who got a text message also get their
            reminders by text message.
          </p>
        )}
        <p>
          Right after sending you see whether the mail server accepted the email. Email History, in Email
          Settings, shows it too, with the reason if it was refused. A link that is too old can no longer be
          used to sign: the waiver is then listed as Expired, and you send it again.
        </p>
      </Section>
      <Section id="follow" title={CONTENTS.follow}>
        <p>
          The <Link to={paths.dashboard}>Dashboard</Link> shows the ten newest waivers and three numbers.{" "}
          <Link to={paths.directory}>Waiver Management</Link> has all of them: search by name, email or
          template, filter by status, click a column to sort. The address of the page contains your search and
          filters, so you can bookmark it or send it to a colleague.
        </p>
        <p>Both pages update automatically when someone signs; your notifications keep what you missed.</p>
      </Section>
      <Section id="remind" title={CONTENTS.remind}>
        <p>
          Send Reminders on the Dashboard first shows whom it reminds, when each guest was last written to,
          and who is left out and why. Everyone with an email address whose waiver is pending and has not
          expired can be reminded. To remind only some guests, tick them in{" "}
          <Link to={paths.directoryStatus("pending")}>Waiver Management</Link> and press Remind. To remind one
          guest, open the waiver and press Remind. No one gets a second reminder within an hour, and guests
          who have signed get none.
        </p>
        <p>
          Reminders are also sent automatically, on the schedule in your{" "}
          <Link to={paths.companySettings}>company settings</Link>. It says when the first reminder is sent,
          how often the next ones follow, and how many there are at most. A guest can stop the reminders with
          one click, and the link to sign still works.
        </p>
      </Section>
      <Section id="inPerson" title={CONTENTS.inPerson}>
        <p>
          Sign on this device, in the menu of a template’s card, opens a new waiver for the guest in front of
          you. Copy signing link gives an address for a poster or a tablet: everyone who opens it signs their
          own waiver. <Link to={paths.embedding}>HTML Embedding</Link> shows it inside your own website.
        </p>
      </Section>
      <Section id="keep" title={CONTENTS.keep}>
        <p>
          Every signature becomes a PDF that is sealed once, and Download always gives the same file. Anyone
          can check on the <Link to={paths.verify}>verification page</Link> whether a file is that document.
        </p>
        <p>
          Export CSV writes the list as you have filtered it, however long it is, to a file for your
          spreadsheet; if you have ticked rows, it writes only those.
        </p>
      </Section>
      <Section id="mail" title={CONTENTS.mail}>
        <p>
          Emails are sent through this service until you choose otherwise in Email Settings, on{" "}
          <Link to={paths.templates}>Add/Edit Waivers</Link>: Resend, SendGrid, or your own endpoint that
          accepts them. Send Test Email shows the real result: delivered, or why not. The name guests see as
          the sender, and where their replies go, are in your{" "}
          <Link to={paths.companySettings}>company settings</Link>.
        </p>
      </Section>
      <Section id="connect" title={CONTENTS.connect}>
        <p>
          Each newly signed waiver can be sent to other programs: posted to your own endpoint under{" "}
          <Link to={paths.webhooks}>Webhooks</Link>, or handed to <Link to={paths.zapier}>Zapier</Link>. What
          does not arrive is retried for about a day. Your programs can also fetch waivers through{" "}
          <Link to={paths.apiConnections}>API Connections</Link>.
        </p>
      </Section>
      <Section id="keys" title={CONTENTS.keys}>
        <ul>
          <li>
            <kbd>Ctrl K</kbd> or <kbd>⌘K</kbd>: find a guest, go to a page, do something
          </li>
          <li>
            <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Home</kbd> <kbd>End</kbd>: move through the rows of Waiver
            Management
          </li>
          <li>
            <kbd>Enter</kbd> opens the row, <kbd>Space</kbd> ticks it, <kbd>Esc</kbd> closes or clears the
            selection
          </li>
          <li>
            <kbd>F8</kbd>: move to the message in the corner of the page
          </li>
        </ul>
      </Section>
    </ReadingPage>
  );
}
