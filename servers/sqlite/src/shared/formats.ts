/** File formats of import and export. */
export const formats = ['csv', 'json', 'ndjson', 'sql'] as const;

export type Format = (typeof formats)[number];

/** Media types of the formats. */
export const mediaTypes: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  sql: 'application/sql',
};

const endings: Readonly<Record<string, Format>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  sql: 'sql',
  dump: 'sql',
};

/** Returns the format of a file name by its ending; undefined if unknown. */
export function formatOfName(name: string): Format | undefined {
  return endings[endingOf(name)];
}

/** Returns the default delimiter for a file name: a tab for `.tsv` and `.tab`, else a comma. */
export function delimiterOfName(name: string): string {
  return ['tsv', 'tab'].includes(endingOf(name)) ? '\t' : ',';
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Encodings of files to import. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'windows-1252'] as const;

export type Encoding = (typeof encodings)[number];
