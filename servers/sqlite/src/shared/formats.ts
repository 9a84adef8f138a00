/** What data is written in and read from. */
export const formats = ['csv', 'json', 'ndjson', 'sql'] as const;

export type Format = (typeof formats)[number];

/** The media type of each. */
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

/** The format that the ending of a name stands for, if any. */
export function formatOfName(name: string): Format | undefined {
  return endings[endingOf(name)];
}

/** What separates fields in a file of this name, unless the caller says so: `.tsv` and `.tab` have tabs. */
export function delimiterOfName(name: string): string {
  return ['tsv', 'tab'].includes(endingOf(name)) ? '\t' : ',';
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Encodings that files are read in. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'windows-1252'] as const;

export type Encoding = (typeof encodings)[number];
