import { cleanup, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { TEMPLATE } from "./fake-server.testing";
import * as form from "./form.testing";
import * as page from "./page.testing";

page.setUpEachTest();

/** Opens the form, adds the child Mia, and continues to the questions for the signer. */
async function enterMia() {
  await form.openForm();
  await form.addChild("Mia Okafor", "2018-05-01");
  form.confirmGuardian();
  await form.next();
}

async function answerEverything() {
  form.fillInEmergency();
  form.choose("No");
  await form.next();
  form.choose("Yes");
  await form.next();
}

test("FORM-02 FORM-16 a parent signs for themselves and a child, step by step, in one insert", async () => {
  await enterMia();
  expect(form.title()).toBe("Questions for you");
  form.fillInEmergency();
  form.choose("No");
  await form.next();

  expect(form.title()).toBe("Questions about Mia Okafor");
  form.choose("Yes");
  const [, inhaler] = screen.getAllByRole("group");
  expect(inhaler).toHaveAccessibleName(/Do you carry an inhaler/);
  await form.next();

  expect(form.title()).toBe("Please read");
  expect(page.waiverText()).toHaveTextContent("I, Gil Guest, join Rio Rafting.");
  await form.next();

  expect(form.title()).toBe("Check and sign");
  const summary = screen.getByRole("region", { name: "What you entered" });
  expect(summary).toHaveTextContent("Mia Okafor 8 years old");
  expect(summary).toHaveTextContent("Emergency contactAna, +1 555 0100");
  await form.signEverywhere();

  expect(page.heading("Waiver signed")).toBeVisible();
  expect(screen.getByText(/^It also covers/)).toHaveTextContent("It also covers Mia Okafor.");
  expect(form.sentRow()).toMatchObject({
    signer_name: "Gil Guest",
    answers: { emergency: { name: "Ana", phone: "+1 555 0100" }, asthma: false },
    participants: [
      { name: "Mia Okafor", birth_date: "2018-05-01", kind: "minor", answers: { asthma: true } },
    ],
    guardian: { relationship: "Mother", has_authority: true },
    initials: [],
  });
});

test("FORM-03 a missing entry is reported beside its field, and the first such field gets the focus", async () => {
  await form.openForm();
  await form.click("Add a child");
  expect(screen.getByLabelText("Full name")).toHaveFocus();
  await form.next();

  expect(form.title()).toBe("Who takes part?");
  const name = screen.getByLabelText("Full name");
  expect(name).toHaveFocus();
  expect(name).toBeInvalid();
  expect(name).toHaveAccessibleDescription("Please enter the child's name, with at most 400 characters.");
  expect(screen.getByLabelText("How are you related to the children?")).toHaveAccessibleDescription(
    "Please say how you are related to them.",
  );

  page.fillIn("Full name", "Mia");
  expect(name).toBeValid();
  expect(screen.getByLabelText("Birth date")).toHaveAccessibleDescription(
    "Please enter the child's birth date.",
  );
});

test("FORM-03 a question without an answer is marked, and gets the focus", async () => {
  await enterMia();
  form.fillInEmergency();
  await form.next();

  expect(form.title()).toBe("Questions for you");
  expect(screen.getByRole("group", { name: "Do you have asthma?" })).toHaveAccessibleDescription(
    "Please choose Yes or No.",
  );
  expect(screen.getByLabelText("Yes")).toHaveFocus();
});

test("FORM-04 someone of full age is refused at once: they sign for themselves", async () => {
  await form.openForm();
  await form.addChild("Noa Okafor", "2008-07-01");

  expect(screen.getByLabelText("Birth date")).toHaveAccessibleDescription(
    /^At 18 and older, they sign for themselves\./,
  );
  form.confirmGuardian();
  await form.next();
  expect(form.title()).toBe("Who takes part?");

  page.fillIn("Birth date", "2008-07-02");
  await form.next();
  expect(form.title()).toBe("Questions for you");
});

test("FORM-05 a child of 16 signs too, and a younger one does not", async () => {
  await form.openForm({ ...form.FAMILY_FORM, questions: [] });
  await form.addChild("Lea", "2010-07-01");
  await form.addChild("Mia", "2010-07-02");
  form.confirmGuardian();
  await form.next();
  await form.next();

  expect(
    screen
      .getAllByRole("group", { name: /^Signature of/ })
      .map((group) => group.querySelector("legend")?.textContent),
  ).toEqual(["Signature of Lea", "Signature of Gil Guest"]);
  await form.click("Sign Waiver");
  expect(screen.getByText("At this age, the child signs too.")).toBeVisible();
  expect(page.server.signedWaivers.size).toBe(0);

  await form.signEverywhere();
  const [lea, mia] = form.sentRow().participants;
  expect(lea.signature).toMatch(/^data:image\/png/);
  expect(mia).not.toHaveProperty("signature");
});

test("FORM-06 a guardian who does not take part signs for a child", async () => {
  await form.openForm({
    covers: { signer: false, minors: {} },
    questions: form.FAMILY_FORM.questions.slice(1),
  });
  expect(screen.getByText(/You do not take part yourself/)).toBeVisible();
  await form.click("Remove child 1");
  await form.next();
  expect(screen.getByText("Please add the child for whom you sign.")).toBeVisible();

  await form.addChild("Mia", "2018-05-01");
  form.confirmGuardian();
  await form.next();
  expect(form.title()).toBe("Questions about Mia");
  form.choose("No");
  await form.next();
  await form.next();
  await form.signEverywhere();

  expect(form.sentRow()).toMatchObject({ answers: {}, participants: [{ answers: { asthma: false } }] });
});

test("FORM-07 each place in the text takes initials of its own", async () => {
  await form.openForm(
    { questions: [] },
    { template_content: "I swim. [INITIALS]\n\nI, [PARTICIPANT NAME], row. [INITIALS]" },
  );
  await form.next();
  page.fillIn("Your initials, place 1", "GG");
  await form.next();

  expect(screen.getByLabelText("Your initials, place 2")).toHaveFocus();
  expect(screen.getByLabelText("Your initials, place 2")).toHaveAccessibleDescription(
    "Please put your initials here.",
  );
  page.fillIn("Your initials, place 2", "GG");
  await form.next();
  await form.signEverywhere();

  expect(form.sentRow().initials).toEqual(["GG", "GG"]);
  expect(form.sentRow().content).toBe("I swim. [INITIALS]\n\nI, Gil Guest, row. [INITIALS]");
});

test("FORM-08 a reload in the middle loses nothing, and the steps go back and forth", async () => {
  await enterMia();
  form.fillInEmergency();
  form.choose("No");
  cleanup();
  await form.openForm();

  expect(form.title()).toBe("Questions for you");
  expect(screen.getByLabelText("Name")).toHaveValue("Ana");
  expect(screen.getByLabelText("No")).toBeChecked();
  await form.back();
  expect(screen.getByLabelText("Full name")).toHaveValue("Mia Okafor");
  await form.next();
  expect(screen.getByLabelText("Phone")).toHaveValue("+1 555 0100");
});

test("FORM-09 without a connection the signature waits on the device, and nothing is left there after it was sent", async () => {
  await enterMia();
  await answerEverything();
  await form.next();
  page.server.isDown = true;
  await form.signEverywhere();

  expect(page.heading("No connection")).toBeVisible();
  expect(JSON.stringify(sessionStorage)).toContain("asthma");
  page.server.isDown = false;
  await form.click("Try now");

  expect(page.heading("Waiver signed")).toBeVisible();
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/asthma|Mia|555 0100/);
});

test("FORM-10 the server's refusal is shown at its question, and the corrected answer is sent", async () => {
  await enterMia();
  await answerEverything();
  await form.next();
  page.server.fixedResponses["POST signed_waivers"] = {
    status: 400,
    body: {
      code: "answer_invalid",
      message: "This is not a possible answer to the question.",
      details: { question: "asthma", participant: 0 },
      hint: null,
    },
  };
  await form.signEverywhere();

  expect(form.title()).toBe("Questions about Mia Okafor");
  expect(screen.getByRole("group", { name: "Do you have asthma?" })).toHaveAccessibleDescription(
    "Please choose again.",
  );
  page.server.fixedResponses = {};
  form.choose("No");
  await form.next();
  await form.next();
  await form.click("Sign Waiver");

  expect(form.sentRow().participants[0].answers).toEqual({ asthma: false });
});

test("the answer to a question that is hidden again is not sent", async () => {
  await enterMia();
  form.fillInEmergency();
  form.choose("Yes");
  form.choose("Yes", /inhaler/);
  form.choose("No");
  await form.next();
  form.choose("No");
  await form.next();
  await form.next();
  await form.signEverywhere();

  expect(form.sentRow().answers).not.toHaveProperty("inhaler");
});

test("if the form was changed after the page was opened, the guest sees the new one before signing", async () => {
  await form.openTemplate({ questions: [] });
  page.fillIn("Your Name", "Gil");
  page.fillIn("Your Email", "gil@example.com");
  await form.next();
  await form.next();
  page.server.templates.set("tpl-river", { ...TEMPLATE, form: form.FAMILY_FORM });
  await form.signEverywhere();

  expect(screen.getByText(/has changed since you opened it/)).toBeVisible();
  expect(page.server.signedWaivers.size).toBe(0);
  await form.click("Sign Waiver");
  expect(form.title()).toBe("Questions for you");
});

test("if questions were added to a waiver without any, the page offers to show them", async () => {
  await page.openTemplate();
  page.server.templates.set("tpl-river", { ...TEMPLATE, form: form.FAMILY_FORM });
  await page.sign();

  expect(page.heading("This waiver now has questions")).toBeVisible();
  expect(screen.getByRole("button", { name: "Show them" })).toBeVisible();
});

test("FORM-11 a question to every participant is asked again for each child, and an address can be copied", async () => {
  await form.openForm({
    covers: { minors: {} },
    questions: [{ key: "home", kind: "address", label: "Address", asked_of: "participant", required: true }],
  });
  await form.addChild("Mia", "2018-05-01");
  form.confirmGuardian();
  await form.next();
  page.fillIn("Street", "1 River Road");
  await form.next();
  expect(screen.getByRole("group", { name: "Address" })).toHaveAccessibleDescription(
    "Please enter the street and the city.",
  );
  page.fillIn("City", "Moab");
  await form.next();

  await form.click("Same as for Gil Guest");
  expect(screen.getByLabelText("City")).toHaveValue("Moab");
  await form.next();
  await form.next();
  const summary = screen.getByRole("region", { name: "What you entered" });
  expect(within(summary).getAllByText("1 River Road, Moab")).toHaveLength(2);
});
