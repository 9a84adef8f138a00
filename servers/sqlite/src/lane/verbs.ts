/** The verbs of a lane; each is loaded with its first call. */
export const verbs = {
  check: async () => (await import('./verbs/check.ts')).check,
  query: async () => (await import('./verbs/query.ts')).query,
  write_result: async () => (await import('./verbs/write-result.ts')).writeResult,
  page_rest: async () => (await import('./verbs/page-rest.ts')).pageRest,
  tables: async () => (await import('./verbs/tables.ts')).tables,
  schema: async () => (await import('./verbs/schema.ts')).schema,
  explain: async () => (await import('./verbs/explain.ts')).explain,
  advise: async () => (await import('./verbs/advise.ts')).advise,
  keys: async () => (await import('./verbs/keys.ts')).keys,
  search: async () => (await import('./verbs/search.ts')).search,
  execute: async () => (await import('./verbs/execute.ts')).execute,
  script: async () => (await import('./verbs/script.ts')).script,
  rows: async () => (await import('./verbs/rows.ts')).rows,
  row: async () => (await import('./verbs/row.ts')).row,
  statements: async () => (await import('./verbs/statements.ts')).statements,
  watch: async () => (await import('./verbs/watch.ts')).watch,
  import: async () => (await import('./verbs/import.ts')).importData,
  export: async () => (await import('./verbs/export.ts')).exportData,
  backup: async () => (await import('./verbs/backup.ts')).backup,
  restore: async () => (await import('./verbs/restore.ts')).restore,
};

export type VerbName = keyof typeof verbs;
type Function<V extends VerbName> = Awaited<ReturnType<(typeof verbs)[V]>>;
export type VerbArgs<V extends VerbName> = Parameters<Function<V>>[1];
type Answered<T> = T extends { facts: infer F; parts: readonly Buffer[] } ? F : T;
export type VerbFacts<V extends VerbName> = Answered<Awaited<ReturnType<Function<V>>>>;
