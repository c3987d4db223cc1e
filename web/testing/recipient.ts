import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";

/** Fills in the required fields of a dialog that sends a waiver. */
export async function fillInRecipient(email = "gil@example.com"): Promise<void> {
  await userEvent.type(screen.getByLabelText(/First Name/), "Gil");
  await userEvent.type(screen.getByLabelText(/Last Name/), "Moreau");
  await userEvent.type(screen.getByLabelText(/Recipient Email/), email);
}
