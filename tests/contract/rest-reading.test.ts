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
