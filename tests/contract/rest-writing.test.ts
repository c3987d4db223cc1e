import { describe, expect, test } from "vitest";

import { VERSIONS } from "./clients";
import { atlasClient, request, startAtlas } from "./rest-atlas";

const atlas = startAtlas();
let lastId = 100;

function country(name: string): { id: number; name: string } {
  lastId += 1;
  return { id: lastId, name: `${name} ${lastId}` };
}

describe.each(VERSIONS)("writing, through the client %s", (version) => {
  const from = (table: string) => atlasClient(atlas, version).from(table);

  test("REST-21 an insert returns nothing, or the row on request", async () => {
    const [unread, shown] = [country("Oz"), country("Erewhon")];

    const first = await from("countries").insert(unread);
    const second = await from("countries").insert(shown).select("name").single();

    expect(first).toMatchObject({ status: 201, statusText: "Created", data: null, error: null });
    expect(second).toMatchObject({ status: 201, data: { name: shown.name } });
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

  test("an upsert merges, ignores duplicates, and uses another key", async () => {
    const one = country("Utopia");
    await from("countries").insert(one);

    const merged = await from("countries")
      .upsert({ ...one, code: "UT" })
      .select();
    const ignored = await from("countries")
      .upsert({ ...one, code: "XX" }, { ignoreDuplicates: true })
      .select();
    const named = await from("countries").upsert(
      { ...one, id: one.id, code: "UP" },
      { onConflict: "name", count: "exact" },
    );

    expect(merged).toMatchObject({ status: 200, data: [{ code: "UT" }] });
    expect(ignored).toMatchObject({ status: 201, data: [] });
    expect(named).toMatchObject({ status: 200, count: 1, data: null });
  });

  test("REST-21 an update and a delete return the count or the rows, and may match nothing", async () => {
    const one = country("Lilliput");
    await from("countries").insert(one);

    const updated = await from("countries").update({ code: "LI" }, { count: "exact" }).eq("id", one.id);
    const shown = await from("countries").update({ code: "LP" }).eq("id", one.id).select("code, rivers(id)");
    const nothing = await from("countries").update({ code: "LP" }).eq("id", -1);
    const deleted = await from("countries").delete({ count: "exact" }).eq("id", one.id).select("id");

    expect(updated).toMatchObject({ status: 204, count: 1, data: null, error: null });
    expect(shown).toMatchObject({ status: 200, data: [{ code: "LP", rivers: [] }] });
    expect(nothing).toMatchObject({ status: 204, error: null });
    expect(deleted).toMatchObject({ status: 200, count: 1, data: [{ id: one.id }] });
  });

  test("a rolled back insert returns the row but stores nothing", async () => {
    const one = country("Nowhere");

    const rolledBack = await from("countries").insert(one).select("id").rollback();
    const { data } = await from("countries").select("id").eq("id", one.id);

    expect(rolledBack.data).toEqual([{ id: one.id }]);
    expect(data).toEqual([]);
  });

  test("REST-20 an error names the violated constraint", async () => {
    const twice = await from("countries").insert({ id: 1, name: "Chile again" });
    const dangling = await from("rivers").insert({ name: "x", country_id: -1 });
    const unknown = await from("countries").insert({ id: 5, nme: "x" });
    const several = await from("countries").update({ code: "ZZ" }).in("id", [1, 2]).select().single();

    expect(twice).toMatchObject({ status: 409, error: { code: "23505" } });
    expect(dangling).toMatchObject({ status: 409, error: { code: "23503" } });
    expect(unknown).toMatchObject({ status: 400, error: { code: "PGRST204" } });
    expect(several).toMatchObject({ status: 406, error: { code: "PGRST116" } });
    expect((await from("countries").select("code").eq("id", 1).single()).data).toEqual({ code: "CL" });
  });

  test("a function that writes can return the row", async () => {
    const { data } = await atlasClient(atlas, version)
      .rpc("rename", { wanted: 3, into_name: "Sjoa" })
      .select("name");

    expect(data).toEqual([{ name: "Sjoa" }]);
  });
});

describe("features without support in the clients", () => {
  const json = { "Content-Type": "application/json" };

  test("headers-only, strict handling, and a limit of affected rows", async () => {
    const located = await request(atlas, "/countries", {
      method: "POST",
      headers: { ...json, Prefer: "return=headers-only" },
      body: '{"id": 901, "name": "Avalon"}',
    });
    const strict = await request(atlas, "/countries", {
      method: "POST",
      headers: { ...json, Prefer: "handling=strict, unknown=many" },
      body: '{"id": 902, "name": "Atlantis II"}',
    });
    const tooMany = await request(atlas, "/countries?id=lt.3", {
      method: "PATCH",
      headers: { ...json, Prefer: "handling=strict, max-affected=1" },
      body: '{"code": "ZZ"}',
    });

    expect([located.status, located.headers.get("location")]).toEqual([201, "/countries?id=eq.901"]);
    expect(await strict.json()).toMatchObject({ code: "PGRST122" });
    expect(await tooMany.json()).toMatchObject({ code: "PGRST124" });
  });

  test("PUT, CSV and form bodies", async () => {
    const put = await request(atlas, "/countries?id=eq.903", {
      method: "PUT",
      headers: json,
      body: '{"id": 903, "name": "Laputa", "code": null}',
    });
    const csv = await request(atlas, "/countries", {
      method: "POST",
      headers: { "Content-Type": "text/csv" },
      body: "id,name,code\n904,Brobdingnag,NULL\n905,Houyhnhnm,HO",
    });
    const form = await request(atlas, "/countries", {
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
