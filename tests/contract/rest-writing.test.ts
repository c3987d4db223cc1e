import { describe, expect, test } from "vitest";

import { VERSIONS } from "./clients";
import { atlasClient, sendRequest, startAtlas } from "./rest-atlas";

const atlas = startAtlas();
let lastId = 100;

function newCountry(name: string): { id: number; name: string } {
  lastId += 1;
  return { id: lastId, name: `${name} ${lastId}` };
}

describe.each(VERSIONS)("writing, through the client %s", (version) => {
  const from = (table: string) => atlasClient(atlas, version).from(table);

  test("REST-21 an insert returns nothing, or the row on request", async () => {
    const [first, second] = [newCountry("Oz"), newCountry("Erewhon")];

    const minimal = await from("countries").insert(first);
    const returned = await from("countries").insert(second).select("name").single();

    expect(minimal).toMatchObject({ status: 201, statusText: "Created", data: null, error: null });
    expect(returned).toMatchObject({ status: 201, data: { name: second.name } });
  });

  test("a bulk insert fills missing keys with null or the default", async () => {
    const nulls = await from("rivers")
      .insert([{ name: "Nulls" }, { name: "Nulls", opened: "1999-01-01" }])
      .select("opened");
    const defaults = await from("rivers")
      .insert([{ name: "Defaults" }, { name: "Defaults", opened: "1999-01-01" }], { defaultToNull: false })
      .select("opened");

    expect(nulls.data).toEqual([{ opened: null }, { opened: "1999-01-01" }]);
    expect(defaults.data).toEqual([{ opened: "2000-01-01" }, { opened: "1999-01-01" }]);
    await from("rivers").delete().in("name", ["Nulls", "Defaults"]);
  });

  test("an upsert merges or ignores duplicates, and can use another unique column", async () => {
    const country = newCountry("Utopia");
    await from("countries").insert(country);

    const merged = await from("countries")
      .upsert({ ...country, code: "UT" })
      .select();
    const ignored = await from("countries")
      .upsert({ ...country, code: "XX" }, { ignoreDuplicates: true })
      .select();
    const mergedByName = await from("countries").upsert(
      { ...country, id: country.id, code: "UP" },
      { onConflict: "name", count: "exact" },
    );

    expect(merged).toMatchObject({ status: 200, data: [{ code: "UT" }] });
    expect(ignored).toMatchObject({ status: 201, data: [] });
    expect(mergedByName).toMatchObject({ status: 200, count: 1, data: null });
  });

  test("REST-21 an update and a delete return the count or the rows, and may match nothing", async () => {
    const country = newCountry("Lilliput");
    await from("countries").insert(country);

    const updated = await from("countries").update({ code: "LI" }, { count: "exact" }).eq("id", country.id);
    const updatedRows = await from("countries")
      .update({ code: "LP" })
      .eq("id", country.id)
      .select("code, rivers(id)");
    const noMatch = await from("countries").update({ code: "LP" }).eq("id", -1);
    const deleted = await from("countries").delete({ count: "exact" }).eq("id", country.id).select("id");

    expect(updated).toMatchObject({ status: 204, count: 1, data: null, error: null });
    expect(updatedRows).toMatchObject({ status: 200, data: [{ code: "LP", rivers: [] }] });
    expect(noMatch).toMatchObject({ status: 204, error: null });
    expect(deleted).toMatchObject({ status: 200, count: 1, data: [{ id: country.id }] });
  });

  test("a rolled back insert returns the row but stores nothing", async () => {
    const country = newCountry("Nowhere");

    const rolledBack = await from("countries").insert(country).select("id").rollback();
    const { data } = await from("countries").select("id").eq("id", country.id);

    expect(rolledBack.data).toEqual([{ id: country.id }]);
    expect(data).toEqual([]);
  });

  test("REST-20 an error names the violated constraint", async () => {
    const duplicateKey = await from("countries").insert({ id: 1, name: "Chile again" });
    const missingReference = await from("rivers").insert({ name: "x", country_id: -1 });
    const unknownColumn = await from("countries").insert({ id: 5, nme: "x" });
    const severalRows = await from("countries").update({ code: "ZZ" }).in("id", [1, 2]).select().single();

    expect(duplicateKey).toMatchObject({ status: 409, error: { code: "23505" } });
    expect(missingReference).toMatchObject({ status: 409, error: { code: "23503" } });
    expect(unknownColumn).toMatchObject({ status: 400, error: { code: "PGRST204" } });
    expect(severalRows).toMatchObject({ status: 406, error: { code: "PGRST116" } });
    expect((await from("countries").select("code").eq("id", 1).single()).data).toEqual({ code: "CL" });
  });

  test("a function that writes can return the row", async () => {
    const { data } = await atlasClient(atlas, version)
      .rpc("rename", { river_id: 3, new_name: "Sjoa" })
      .select("name");

    expect(data).toEqual([{ name: "Sjoa" }]);
  });
});

describe("features that the client libraries do not support", () => {
  const jsonHeaders = { "Content-Type": "application/json" };

  test("a write can return only headers, be strict, and limit the affected rows", async () => {
    const headersOnly = await sendRequest(atlas, "/countries", {
      method: "POST",
      headers: { ...jsonHeaders, Prefer: "return=headers-only" },
      body: '{"id": 901, "name": "Avalon"}',
    });
    const strict = await sendRequest(atlas, "/countries", {
      method: "POST",
      headers: { ...jsonHeaders, Prefer: "handling=strict, unknown=many" },
      body: '{"id": 902, "name": "Atlantis II"}',
    });
    const tooMany = await sendRequest(atlas, "/countries?id=lt.3", {
      method: "PATCH",
      headers: { ...jsonHeaders, Prefer: "handling=strict, max-affected=1" },
      body: '{"code": "ZZ"}',
    });

    expect([headersOnly.status, headersOnly.headers.get("location")]).toEqual([201, "/countries?id=eq.901"]);
    expect(await strict.json()).toMatchObject({ code: "PGRST122" });
    expect(await tooMany.json()).toMatchObject({ code: "PGRST124" });
  });

  test("rows are written with PUT, CSV and form bodies", async () => {
    const put = await sendRequest(atlas, "/countries?id=eq.903", {
      method: "PUT",
      headers: jsonHeaders,
      body: '{"id": 903, "name": "Laputa", "code": null}',
    });
    const csv = await sendRequest(atlas, "/countries", {
      method: "POST",
      headers: { "Content-Type": "text/csv" },
      body: "id,name,code\n904,Brobdingnag,NULL\n905,Houyhnhnm,HO",
    });
    const form = await sendRequest(atlas, "/countries", {
      method: "POST",
      body: new URLSearchParams({ id: "906", name: "Ruritania" }),
    });

    expect([put.status, csv.status, form.status]).toEqual([204, 201, 201]);
    const { data } = await atlasClient(atlas, "newest")
      .from("countries")
      .select("id, code")
      .gte("id", 903)
      .order("id");
    expect(data?.slice(0, 4)).toEqual([
      { id: 903, code: null },
      { id: 904, code: null },
      { id: 905, code: "HO" },
      { id: 906, code: null },
    ]);
  });
});
