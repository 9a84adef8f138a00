/**
 * SQLite's functions that only compute. Not listed are those that load code, take or return pointers, write (`optimize`
 * rewrites a full-text index), or run SQL. Source: https://sqlite.org/lang_corefunc.html and the pages linked from it
 */
const allowed: ReadonlySet<string> = new Set(
  `-> ->> abs changes char coalesce concat concat_ws format glob hex if ifnull iif instr last_insert_rowid length like
  likelihood likely lower ltrim max min nullif octet_length printf quote random randomblob replace round rtrim sign
  soundex sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id sqlite_version substr substring subtype
  total_changes trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob

  avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total
  cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

  current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch

  acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power
  radians sin sinh sqrt tan tanh trunc

  json json_array json_array_insert json_array_length json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set
  json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
  jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set

  bm25 fts5_get_locale fts5_locale fts5_source_id highlight match matchinfo offsets snippet

  geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_group_bbox geopoly_json
  geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform rtreedepth rtreenode`.split(/\s+/),
);

/** Matches functions that SQLite calls in programs of ALTER TABLE and ANALYZE and refuses in other statements. */
const internal = /^(?:sqlite_rename_\w+|sqlite_(?:add|drop|find)_\w+|sqlite_fail|stat_(?:init|push|get))$/;

/** Returns whether a caller's statement may call the function. */
export function isAllowedFunction(name: string): boolean {
  return allowed.has(name) || internal.test(name);
}
