import { describe, expect, test } from "vitest";

import { VERSIONS } from "./clients";
import { atlasClient, type AtlasClient, sendRequest, startAtlas } from "./rest-atlas";

const atlas = startAtlas();

function selectRivers(client: AtlasClient) {
  return client.from("rivers").select("id").order("id");
}

type RiverQuery = ReturnType<typeof selectRivers>;

/** Each entry has the name of a filter, a query that uses it, and the ids of the rivers that it finds. */
const FILTERS: [string, (query: RiverQuery) => RiverQuery, number[]][] = [
  ["eq", (query) => query.eq("name", "Lost (River)"), [4]],
  ["neq", (query) => query.neq("name", "Baker"), [2, 3, 4]],
  ["gt", (query) => query.gt("length", 98.5), [1, 2]],
  ["gte", (query) => query.gte("length", 98.5), [1, 2, 3]],
  ["lt", (query) => query.lt("length", 105), [3]],
  ["lte", (query) => query.lte("length", 105), [2, 3]],
  ["like", (query) => query.like("name", "F%"), [2]],
  ["ilike", (query) => query.ilike("name", "b%"), [1]],
  ["like all", (query) => query.likeAllOf("name", ["%a%", "%k%"]), [1]],
  ["like any", (query) => query.likeAnyOf("name", ["B%", "S%"]), [1, 3]],
  ["ilike all", (query) => query.ilikeAllOf("name", ["b%", "%R"]), [1]],
  ["ilike any", (query) => query.ilikeAnyOf("name", ["b%", "s%"]), [1, 3]],
  ["match", (query) => query.filter("name", "match", "^[BF]"), [1, 2]],
  ["imatch", (query) => query.filter("name", "imatch", "^s"), [3]],
  ["is null", (query) => query.is("open", null), [4]],
  ["is true", (query) => query.is("open", true), [1, 2]],
  ["isdistinct", (query) => query.filter("open", "isdistinct", "true"), [3, 4]],
  ["in", (query) => query.in("name", ["Lost (River)", "Baker"]), [1, 4]],
  ["in nothing", (query) => query.in("id", []), []],
  ["not in", (query) => query.not("id", "in", "(1,2)"), [3, 4]],
  ["not is", (query) => query.not("open", "is", null), [1, 2, 3]],
  ["cs of an array", (query) => query.contains("tags", ["cold"]), [1, 2]],
  ["cs of json", (query) => query.contains("attributes", { depth: 5 }), [2]],
  ["cs of a range", (query) => query.contains("grade", "[4,5)"), [1, 2]],
  ["cd of an array", (query) => query.containedBy("tags", ["cold", "x"]), [2, 3]],
  ["cd of a range", (query) => query.containedBy("grade", "[2,5)"), [1, 3]],
  ["ov of an array", (query) => query.overlaps("tags", ["blue", "deep"]), [1]],
  ["ov of a range", (query) => query.overlaps("grade", "[2,3)"), [3]],
  ["sr", (query) => query.rangeGt("grade", "[1,3)"), [1, 2]],
  ["nxl", (query) => query.rangeGte("grade", "[3,5)"), [1, 2]],
  ["sl", (query) => query.rangeLt("grade", "[4,6)"), [3]],
  ["nxr", (query) => query.rangeLte("grade", "[3,5)"), [1, 3]],
  ["adj", (query) => query.rangeAdjacent("grade", "[5,8)"), [1]],
  ["fts", (query) => query.textSearch("document", "'baker' | 'sjoa'"), [1, 3]],
  ["plfts", (query) => query.textSearch("document", "lost river", { type: "plain" }), [4]],
  ["phfts", (query) => query.textSearch("document", "river lost", { type: "phrase" }), []],
  [
    "wfts",
    (query) => query.textSearch("document", "baker or sjoa", { type: "websearch", config: "english" }),
    [1, 3],
  ],
  ["fts of plain text", (query) => query.textSearch("name", "Baker", { config: "simple" }), [1]],
  ["eq any", (query) => query.filter("id", "eq(any)", "{1,3}"), [1, 3]],
  ["gt all", (query) => query.filter("id", "gt(all)", "{1,2}"), [3, 4]],
  ["match by columns", (query) => query.match({ open: true, country_id: 1 }), [1, 2]],
  ["a json path", (query) => query.eq("attributes->>depth", "7"), [1]],
  ["or", (query) => query.or('id.eq.1,name.eq."Lost (River)"'), [1, 4]],
  ["and in or", (query) => query.or("and(open.is.true,length.gt.110),id.eq.3"), [1, 3]],
  ["not in or", (query) => query.or("not.open.is.null,id.eq.4").or("id.not.in.(1,2)"), [3, 4]],
  ["not and", (query) => query.or("not.and(open.is.true,length.gt.110)"), [2, 3, 4]],
];

describe.each(VERSIONS)("filters, through the client %s", (version) => {
  test.each(FILTERS)(
    "REST-21 the filter %s finds exactly the matching rivers",
    async (_name, filter, expected) => {
      const { data, error } = await filter(selectRivers(atlasClient(atlas, version)));

      expect(error).toBeNull();
      expect(data?.map(({ id }) => id)).toEqual(expected);
    },
  );
});

describe.each(VERSIONS)("reading, through the client %s", (version) => {
  const from = (table: string) => atlasClient(atlas, version).from(table);

  test("select accepts columns, aliases, casts and JSON paths", async () => {
    const { data } = await from("rivers")
      .select("title:name, length::text, attributes->by->>who")
      .eq("id", 1)
      .single();

    expect(data).toEqual({ title: "Baker", length: "175", who: "Ana, B" });
  });

  test("rows are aggregated by the other columns", async () => {
    const { data } = await from("rivers")
      .select("water, length.sum(), count()")
      .order("water", { ascending: false });

    expect(data).toEqual([
      { water: "wild", sum: 378.5, count: 3 },
      { water: "flat", sum: null, count: 1 },
    ]);
  });

  test("rows are ordered with nulls first or last, and limited", async () => {
    const first = await from("rivers").select("id").order("length", { nullsFirst: true }).limit(2);
    const page = await from("rivers")
      .select("id")
      .order("length", { ascending: false, nullsFirst: false })
      .range(1, 2);

    expect(first.data).toEqual([{ id: 4 }, { id: 3 }]);
    expect(page.data).toEqual([{ id: 2 }, { id: 3 }]);
  });

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

  test("REST-21 single and maybeSingle return one row, and single rejects several", async () => {
    const one = await from("rivers").select("id").eq("id", 1).single();
    const noRow = await from("rivers").select("id").eq("id", 99).maybeSingle();
    const many = await from("rivers").select("id").single();

    expect(one.data).toEqual({ id: 1 });
    expect(noRow).toMatchObject({ data: null, error: null });
    expect(many).toMatchObject({ status: 406, error: { code: "PGRST116" } });
  });

  test("results are returned as CSV and as a query plan, and as GeoJSON only with PostGIS", async () => {
    const csv = await from("countries").select("id, name").order("id").csv();
    const textPlan = await from("countries").select("id").explain({ verbose: true });
    const jsonPlan = await from("countries").select("id").explain({ format: "json", analyze: true });
    const features = await from("countries").select("id").geojson();

    expect(csv.data).toBe("id,name\n1,Chile\n2,Norway\n3,Atlantis");
    expect(textPlan.data).toMatch(/^Aggregate {2}\(cost=/);
    expect(jsonPlan.data).toMatchObject([{ Plan: { "Node Type": "Aggregate" } }]);
    expect(features).toMatchObject({ status: 406, error: { code: "PGRST107" } });
  });

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

  test("REST-20 an error suggests the right name", async () => {
    const table = await from("rivrs").select("id");
    const call = await atlasClient(atlas, version).rpc("ad", { a: 1 });
    const relation = await from("rivers").select("id, contries(id)");

    expect(table).toMatchObject({
      status: 404,
      error: { code: "PGRST205", hint: expect.stringContaining("rivers") },
    });
    expect(call).toMatchObject({ status: 404, error: { code: "PGRST202" } });
    expect(relation).toMatchObject({
      status: 400,
      error: { code: "PGRST200", hint: expect.stringContaining("countries") },
    });
  });

  test("another schema can be selected if it is exposed", async () => {
    const exposedSchema = await atlasClient(atlas, version)
      .schema("public")
      .from("waiver_templates")
      .select("id");
    const hiddenSchema = await atlasClient(atlas, version).schema("auth").from("users").select("id");

    expect(exposedSchema).toMatchObject({ status: 200, data: [] });
    expect(hiddenSchema).toMatchObject({ status: 406, error: { code: "PGRST106" } });
  });
});

describe("features that the client libraries do not support", () => {
  test("large responses are compressed, unless the client does not accept it", async () => {
    const large = await sendRequest(atlas, "/rpc/numbers?up_to=600");
    const plain = await sendRequest(atlas, "/rpc/numbers?up_to=600", {
      headers: { "Accept-Encoding": "identity" },
    });
    const small = await sendRequest(atlas, "/rpc/numbers?up_to=5");

    expect(large.headers.get("content-encoding")).toBe("gzip");
    expect(await large.text()).toBe(await plain.text());
    expect([plain, small].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, null]);
  });

  test("nulls can be stripped from lists and objects", async () => {
    const mediaTypes = ["application/vnd.pgrst.array+json", "application/vnd.pgrst.object+json"];
    const [list, object] = await Promise.all(
      mediaTypes.map((mediaType) =>
        sendRequest(atlas, "/countries?id=eq.3", { headers: { Accept: `${mediaType};nulls=stripped` } }),
      ),
    );

    expect(await list?.json()).toEqual([{ id: 3, name: "Atlantis" }]);
    expect(await object?.json()).toEqual({ id: 3, name: "Atlantis" });
  });

  test("requests can set a range and a time zone, and the root returns an OpenAPI document", async () => {
    const page = await sendRequest(atlas, "/rivers?select=id&order=id", { headers: { Range: "1-2" } });
    const settings = await sendRequest(atlas, "/rpc/request_settings", {
      headers: { Prefer: "timezone=Asia/Tokyo" },
    });
    const root = await sendRequest(atlas, "/");

    expect([await page.json(), page.headers.get("content-range")]).toEqual([[{ id: 2 }, { id: 3 }], "1-2/*"]);
    expect(await settings.json()).toMatchObject({ zone: "Asia/Tokyo" });
    expect(await root.json()).toMatchObject({ swagger: "2.0", definitions: { rivers: {} } });
  });
});
