import { describe, expect, test } from "vitest";

import { VERSIONS } from "./clients";
import { atlasClient, startAtlas } from "./rest-atlas";

const atlas = startAtlas();

describe.each(VERSIONS)("embedding, through the client %s", (version) => {
  const from = (table: string) => atlasClient(atlas, version).from(table);

  test("related rows are embedded in every kind of relationship", async () => {
    const toOne = await from("rivers").select("name, countries(name)").eq("id", 1).single();
    const toMany = await from("countries").select("name, rivers(name)").eq("id", 1).single();
    const junction = await from("guides").select("name, rivers(name)").eq("id", 1).single();
    const licence = await from("guides").select("name, licences(number)").order("id");
    const view = await from("river_names").select("title, countries(code)").eq("id", 1).single();

    expect(toOne.data).toEqual({ name: "Baker", countries: { name: "Chile" } });
    expect(toMany.data).toEqual({ name: "Chile", rivers: [{ name: "Baker" }, { name: "Futaleufú" }] });
    expect(junction.data).toEqual({ name: "Ana", rivers: [{ name: "Baker" }, { name: "Sjoa" }] });
    expect(licence.data?.map(({ licences }) => licences)).toEqual([{ number: "L-1" }, null, null]);
    expect(view.data).toEqual({ title: "Baker", countries: { code: "CL" } });
  });

  test("a table that refers to itself is embedded in both directions", async () => {
    const { data } = await from("guides")
      .select("name, boss:boss_id(name), team:guides!boss_id(name), guides(name)")
      .order("id");
    const byConstraint = await from("guides").select("name, guides!guides_boss(name)");

    const team = [{ name: "Bo" }, { name: "Cy" }];
    expect(data?.[0]).toEqual({ name: "Ana", boss: null, team, guides: team });
    expect(data?.[1]).toEqual({ name: "Bo", boss: { name: "Ana" }, team: [], guides: [] });
    expect(byConstraint).toMatchObject({ status: 400, error: { code: "PGRST200" } });
  });

  test("a column or a foreign key names its table, even if a view also shows that table", async () => {
    const { data } = await from("rivers")
      .select("country_id(name), rivers_country_id_fkey(name), country_codes(code)")
      .eq("id", 3)
      .single();

    expect(data).toEqual({
      country_id: { name: "Norway" },
      rivers_country_id_fkey: { name: "Norway" },
      country_codes: { code: "NO" },
    });
  });

  test("the same table is embedded twice only with aliases", async () => {
    const aliases = await from("crossings")
      .select("start:countries!from_id(name), end:countries!to_id(name)")
      .eq("id", 1)
      .single();
    const noAliases = await from("crossings").select("countries!from_id(name), countries!to_id(name)");

    expect(aliases.data).toEqual({ start: { name: "Chile" }, end: { name: "Norway" } });
    expect(noAliases).toMatchObject({
      status: 400,
      error: { code: "42712", message: 'table name "crossings_countries_1" specified more than once' },
    });
  });

  test("embeds can be inner, spread, empty or computed", async () => {
    const inner = await from("countries").select("name, rivers!inner(name)").eq("rivers.open", false);
    const spread = await from("rivers").select("name, ...countries(country:name)").eq("id", 3).single();
    const empty = await from("countries").select("name, rivers()").is("rivers", null);
    const longest = await from("countries").select("longest(name)").eq("id", 1).single();
    const greeting = await from("guides").select("greeting").eq("id", 1).single();
    const counted = await from("countries").select("name, rivers(count)").eq("id", 1).single();

    expect(inner.data).toEqual([{ name: "Norway", rivers: [{ name: "Sjoa" }] }]);
    expect(spread.data).toEqual({ name: "Sjoa", country: "Norway" });
    expect(empty.data).toEqual([{ name: "Atlantis" }]);
    expect(longest.data).toEqual({ longest: { name: "Baker" } });
    expect(greeting.data).toEqual({ greeting: "I am Ana" });
    expect(counted.data).toEqual({ name: "Chile", rivers: [{ count: 2 }] });
  });

  test("the rows of an embed are filtered, ordered and limited", async () => {
    const inRivers = { referencedTable: "rivers" };
    const { data } = await from("countries")
      .select("name, rivers(name)")
      .or("open.is.true,open.is.false", inRivers)
      .order("name", { ascending: false, ...inRivers })
      .limit(1, inRivers)
      .eq("id", 1)
      .single();

    expect(data).toEqual({ name: "Chile", rivers: [{ name: "Futaleufú" }] });
  });

  test("an ambiguous embed needs a hint, and the error lists the choices", async () => {
    const hinted = await from("crossings")
      .select("id, start:countries!crossings_from(name)")
      .eq("id", 1)
      .single();
    const ambiguous = await from("crossings").select("id, countries(name)");

    expect(hinted.data).toEqual({ id: 1, start: { name: "Chile" } });
    expect(ambiguous.status).toBe(300);
    expect(ambiguous.error?.code).toBe("PGRST201");
    expect(ambiguous.error?.hint).toContain("countries!crossings_from");
  });

  test.each(["exact", "planned", "estimated"] as const)(
    "REST-21 the %s count of the rows is returned",
    async (count) => {
      const rows = await from("rivers").select("id", { count });
      const head = await from("rivers").select("*", { count, head: true });

      expect(rows.count).toBeGreaterThan(0);
      expect(head.count).toBe(rows.count);
      expect(head.data).toBeNull();
      if (count === "exact") expect(rows.count).toBe(4);
    },
  );
});

describe.each(VERSIONS)("functions, through the client %s", (version) => {
  test("functions return a value, rows, a row, a table or nothing, by POST and GET", async () => {
    const client = atlasClient(atlas, version);

    expect((await client.rpc("add", { a: 1, b: 2 })).data).toBe(3);
    expect((await client.rpc("add", { a: 1 }, { get: true })).data).toBe(11);
    expect((await client.rpc("numbers", { up_to: 3 })).data).toEqual([1, 2, 3]);
    expect((await client.rpc("numbers", { up_to: 9 }).range(3, 4)).data).toEqual([4, 5]);
    expect((await client.rpc("numbers", { up_to: 2 }).csv()).data).toBe("numbers\n1\n2");
    expect((await client.rpc("total", { numbers: [1, 2, 3] }, { get: true })).data).toBe(6);
    expect((await client.rpc("country_by_id", { wanted_id: 2 })).data).toMatchObject({ name: "Norway" });
    expect((await client.rpc("pairs").eq("a", 2)).data).toEqual([{ a: 2, b: null }]);
    expect(await client.rpc("nothing")).toMatchObject({ status: 204, data: null, error: null });
    const longer = client.rpc("longer_than", { km: 100 }, { get: true, count: "exact" });
    const { data, count } = await longer.select("name, countries(name)").order("name").limit(1);
    expect({ data, count }).toEqual({ data: [{ name: "Baker", countries: { name: "Chile" } }], count: 2 });
    const counted = await client.rpc("longer_than", { km: 100 }, { head: true, count: "exact" });
    expect(counted.count).toBe(2);
  });

  test("a function with one argument without a name takes the whole body", async () => {
    const client = atlasClient(atlas, version);

    expect((await client.rpc("echo", { any: [1] })).data).toEqual({ any: [1] });
    expect((await client.rpc("keys_of", { "": 1 })).data).toEqual([""]);
    expect((await client.rpc("shout", { "": "hello" })).data).toBe('{"":"HELLO"}');
    expect((await client.rpc("count_bytes", { "": 1 })).data).toBe('{"":1}'.length);
    expect((await client.rpc("whisper")).data).toBe("nothing");
    expect((await client.rpc("whisper", { "": "LOUD" })).data).toBe('{"":"loud"}');
    expect(await client.rpc("double", { "": 2 })).toMatchObject({ status: 404, error: { code: "PGRST202" } });
  });

  test("a call that fits several functions is refused, and the error lists them in a fixed order", async () => {
    const client = atlasClient(atlas, version);
    const unnamed = await client.rpc("murmur");
    const optional = await client.rpc("ladder");

    const start = "Could not choose the best candidate function between: ";
    expect(unnamed).toMatchObject({
      status: 300,
      error: { code: "PGRST203", message: `${start}atlas.murmur(), atlas.murmur( => text)` },
    });
    expect(optional.error?.message).toBe(
      `${start}atlas.ladder(a => text), atlas.ladder(z => integer), atlas.ladder(b => integer, a => integer)`,
    );
  });
});
