import { describe, expect, test } from "vitest";

import { anonymousClient, CLIENTS, SAMPLE_TEMPLATE, signAsGuest, signUp } from "./people";

const TOMORROW = () => new Date(Date.now() + 86_400_000).toISOString();

describe.each(CLIENTS)("trips, through the client %s", (_version, connect) => {
  async function takeBooking() {
    const rosa = await signUp(connect, "Rosa");
    const { data: activity } = await rosa.client
      .from("activities")
      .insert({ name: "Half-day rafting", template_ids: [SAMPLE_TEMPLATE], capacity: 8 })
      .select()
      .single()
      .throwOnError();
    const { data: trip } = await rosa.client
      .from("trips")
      .insert({ activity_id: activity.id, starts_at: TOMORROW() })
      .select("*, local_date, local_time, activities(name)")
      .single()
      .throwOnError();
    const { data: booking } = await rosa.client
      .from("bookings")
      .upsert({ trip_id: trip.id, party_size: 1, reference: "B-17" }, { onConflict: "company_id,reference" })
      .select()
      .single()
      .throwOnError();
    return { rosa, trip, booking };
  }

  test("TRIP-01 TRIP-06 a booking system adds a trip and sends its booking twice", async () => {
    const { rosa, trip, booking } = await takeBooking();

    expect(trip).toMatchObject({ capacity: 8, activities: { name: "Half-day rafting" } });
    expect(trip.local_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(trip.local_time).toMatch(/^\d\d:\d\d/);
    const { data: again } = await rosa.client
      .from("bookings")
      .upsert({ trip_id: trip.id, party_size: 2, reference: "B-17" }, { onConflict: "company_id,reference" })
      .select()
      .throwOnError();
    expect(again).toMatchObject([{ id: booking.id, party_size: 2, link: booking.link }]);
    const { data: onDay } = await rosa.client.rpc("trips_on", { day: trip.local_date }).throwOnError();
    expect(onDay).toMatchObject([{ id: trip.id }]);
  });

  test("TRIP-07 TRIP-08 TRIP-10 TRIP-14 a guest signs through the group link and is checked in", async () => {
    const { rosa, trip, booking } = await takeBooking();
    const guest = anonymousClient(connect);

    const { data: session } = await guest.rpc("open_group_session", { link: booking.link }).throwOnError();
    expect(session).toMatchObject({ status: "pending", template_id: SAMPLE_TEMPLATE });
    await signAsGuest(connect, session.id);

    const { data: status } = await guest.rpc("group_status", { link: booking.link }).throwOnError();
    expect(status).toEqual([{ first_name: expect.any(String), ready: true }]);
    const { data: readiness } = await rosa.client
      .from("booking_readiness")
      .select("booking_id, party_size, covered, ready")
      .eq("trip_id", trip.id)
      .throwOnError();
    expect(readiness).toEqual([{ booking_id: booking.id, party_size: 1, covered: 1, ready: true }]);
    const { data: people } = await rosa.client.rpc("trip_participants", { trip_id: trip.id }).throwOnError();
    await rosa.client
      .from("checkins")
      .insert({ trip_id: trip.id, participant_id: people[0].participant_id })
      .throwOnError();
    const { data: total } = await rosa.client
      .from("trip_readiness")
      .select("expected, covered, checked_in, flagged")
      .eq("trip_id", trip.id)
      .single()
      .throwOnError();
    expect(total).toEqual({ expected: 1, covered: 1, checked_in: 1, flagged: 0 });
  });

  test("TRIP-02 TRIP-04 a rival sees nothing, and a refusal has a code and a status", async () => {
    const { trip, booking } = await takeBooking();
    const mallory = await signUp(connect, "Mallory");

    for (const table of [
      "activities",
      "trips",
      "bookings",
      "checkins",
      "booking_readiness",
      "trip_readiness",
    ]) {
      const { data } = await mallory.client.from(table).select("*").throwOnError();
      expect(data, table).toEqual([]);
    }
    const taken = await mallory.client.from("bookings").insert({ trip_id: trip.id, party_size: 1 });
    expect(taken).toMatchObject({ status: 404, error: { code: "trip_not_found" } });
    const unknown = await mallory.client.rpc("group_status", { link: `${booking.link}x` });
    expect(unknown).toMatchObject({ status: 404, error: { code: "group_link_not_found" } });
  });
});
