import { visible } from '@rootbound/protocol';
import { DEFAULT_BUDGET } from '../budget/budget.ts';
import { readHttp } from './http.ts';
import { nearest } from './nearest.ts';
import {
  type ClientName,
  type Extras,
  type OptionRow,
  type ServeOptions,
  type ServerSpec,
  SHARED_OPTIONS,
} from './options.ts';
import { Problem, quote } from './problem.ts';
import { parseRoot, type RootSpec } from './roots.ts';
import { selectTools } from './toolsets.ts';
import { absentValue, readValue, type Value, wanted } from './values.ts';

/** The request of a command line. A problem is one line that names the fix. */
export type CommandLine<Rows extends readonly OptionRow[] = readonly OptionRow[]> =
  | { kind: 'serve'; options: ServeOptions<Rows> }
  | { kind: 'doctor'; options: ServeOptions<Rows>; json: boolean }
  | {
      kind: 'print-config';
      client: ClientName;
      options: ServeOptions<Rows>;
      given: readonly GivenOption[];
    }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'problem'; message: string };

/** One parsed option, in the given order; a flag has no value. */
export interface GivenOption {
  row: OptionRow;
  value: string | undefined;
}

/** The options that are parsed so far. */
interface Reading {
  spec: ServerSpec;
  given: GivenOption[];
  values: Map<string, Value>;
  roots: RootSpec[];
}

/** Parses the arguments after the program's name; reads nothing but the arguments. */
export function parseCommandLine<const Rows extends readonly OptionRow[]>(
  spec: ServerSpec<Rows>,
  argv: readonly string[],
): CommandLine<Rows> {
  try {
    // a spec of some rows is read as a spec of any, and the result has exactly those rows again
    return readCommandLine(spec as unknown as ServerSpec, argv) as CommandLine<Rows>;
  } catch (error) {
    if (error instanceof Problem) return { kind: 'problem', message: error.message };
    throw error;
  }
}

function readCommandLine(spec: ServerSpec, argv: readonly string[]): CommandLine {
  const reading: Reading = { spec, given: [], values: new Map(), roots: [] };
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index]!;
    if (argument === '--') {
      for (const rest of argv.slice(index + 1)) takeRoot(reading, rest);
      break;
    }
    if (argument.length < 2 || argument[0] !== '-') {
      takeRoot(reading, argument);
      continue;
    }
    const equals = argument.indexOf('=');
    const spelling = equals < 0 ? argument : argument.slice(0, equals);
    const row = findRow(spec, spelling) ?? unknownOption(spec, spelling);
    if (row.name === 'help' || row.name === 'version') return { kind: row.name };
    if (equals >= 0) takeValue(reading, row, argument.slice(equals + 1));
    else if (row.kind === 'flag') takeFlag(reading, row);
    else {
      index += 1;
      takeValue(reading, row, separateValue(row, argv[index]));
    }
  }
  return finish(reading);
}

// a search, since most command lines have no option or two: building an index of all rows costs more
function findRow(spec: ServerSpec, spelling: string): OptionRow | undefined {
  const isMeant = (row: OptionRow): boolean =>
    `--${row.name}` === spelling || row.aliases?.includes(spelling) === true;
  return SHARED_OPTIONS.find(isMeant) ?? spec.options?.find(isMeant);
}

function unknownOption(spec: ServerSpec, spelling: string): never {
  const rows: readonly OptionRow[] = [...SHARED_OPTIONS, ...(spec.options ?? [])];
  const meant = nearest(
    spelling,
    rows.flatMap((row) => [`--${row.name}`, ...(row.aliases ?? [])]),
  );
  const fix = meant === undefined ? '--help lists the options' : `did you mean ${meant}?`;
  throw new Problem(`unknown option ${visible(spelling)}; ${fix}`);
}

function separateValue(row: OptionRow, value: string | undefined): string {
  if (value === undefined) throw new Problem(`--${row.name} wants ${wanted(row)}, got nothing`);
  // an option in the place of a value is a forgotten value far more often than a value
  if (!value.startsWith('--')) return value;
  const option = visible(value);
  throw new Problem(
    `--${row.name} wants ${wanted(row)}, got ${option}; write --${row.name}=${option} if that is the value`,
  );
}

function takeRoot(reading: Reading, text: string): void {
  const root = parseRoot(text);
  if (root === undefined) throw new Problem(`a root wants a path, got ${quote(text)}`);
  reading.roots.push(root);
}

function takeFlag({ given, values }: Reading, row: OptionRow): void {
  given.push({ row, value: undefined });
  values.set(row.name, true);
}

function takeValue(reading: Reading, row: OptionRow, text: string): void {
  const { given, values } = reading;
  const value = row.kind === 'root' ? rootValue(reading, row, text) : readValue(row, text);
  given.push({ row, value: text });
  const before = values.get(row.name);
  if (before === undefined || before === value) values.set(row.name, value);
  else if (Array.isArray(before) && Array.isArray(value)) values.set(row.name, [...before, ...value]);
  else {
    const twice = `${quote(String(before))} and ${quote(String(value))}`;
    throw new Problem(`--${row.name} was given twice, ${twice}; keep one`);
  }
}

function rootValue(reading: Reading, row: OptionRow, text: string): readonly string[] {
  const root = parseRoot(text);
  if (root === undefined) throw new Problem(`--${row.name} wants ${wanted(row)}, got ${quote(text)}`);
  reading.roots.push(root);
  return [root.path];
}

function finish(reading: Reading): CommandLine {
  const { spec, values, roots, given } = reading;
  // readValue gave each value the type of its row
  const value = <T>(name: string, fallback: T): T => (values.get(name) as T | undefined) ?? fallback;
  const http = readHttp(values);
  const options: ServeOptions = Object.freeze({
    roots: Object.freeze(roots),
    readOnly: value('read-only', false),
    tools: selectTools(spec, values),
    // one process serves many clients over HTTP, and one of them must not change the files of the others
    clientRoots: value<ServeOptions['clientRoots']>('client-roots', http === undefined ? 'narrow' : 'ignore'),
    maxOutput: value('max-output', DEFAULT_BUDGET),
    logLevel: value<ServeOptions['logLevel']>('log-level', 'warning'),
    logJson: value('log-json', false),
    http,
    extra: Object.freeze(readExtras(reading)),
  });
  const json = value('json', false);
  if (json && !values.has('doctor')) throw new Problem('--json is about --doctor; add that or leave it out');
  const client = value<ClientName | undefined>('print-config', undefined);
  if (client !== undefined) return { kind: 'print-config', client, options, given };
  return values.has('doctor') ? { kind: 'doctor', options, json } : { kind: 'serve', options };
}

function readExtras({ spec, values }: Reading): Extras<readonly OptionRow[]> {
  const extra: Record<string, Value | undefined> = {};
  for (const row of spec.options ?? []) extra[row.name] = values.get(row.name) ?? absentValue(row);
  // every row has its entry, of the type of its kind
  return extra as Extras<readonly OptionRow[]>;
}
