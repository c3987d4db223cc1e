import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { queryClient } from "~/lib/query-client";
import { useSendWaiver } from "./send-waiver";

const template = { id: "tpl-1", name: "River day", content: "I, [PARTICIPANT NAME], agree." };
const gil = { firstName: "Gil", lastName: "Moreau", email: "gil@example.com", message: "", asPdf: false };

test.each([{ firstName: "" }, { lastName: " " }, { email: "" }, { email: "\t", asPdf: true }])(
  "TPL-19 the send handler refuses a recipient with %j, and nothing is created or sent",
  async (missing) => {
    const requests = serve({});
    signInAs(ROSA);
    const { result } = renderHook(() => useSendWaiver(), {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    });

    const outcome = await result.current.mutateAsync({ template, recipient: { ...gil, ...missing } });

    expect(outcome).toEqual({
      result: "failed",
      reason: "Recipient first name, last name, and email are required.",
    });
    expect(requests).toEqual([]);
  },
);
