import { nameOf } from '../../shared/sql/names.ts';
import { parametersOf } from '../../shared/sql/parameters.ts';
import type { Statement } from '../../shared/sql/statement.ts';
import type { Connection } from '../connection.ts';
import { bindingsOf } from '../values/bind.ts';
import type { SchemaContents } from './schema-contents.ts';
import type { Schemas } from './schemas.ts';
import { type Instruction, virtualNames } from './virtual.ts';

/** The effects of running a statement, including triggers, cascades and views. */
export interface Program {
  readonly verb: string;
  /** whether it is an EXPLAIN, which executes nothing */
  readonly explains: boolean;
  /** tables that it reads; tables outside main with their schema, as `temp.t` */
  readonly readsTables: readonly string[];
  /** tables that it writes, creates, alters or drops */
  readonly writesTables: readonly string[];
  /** schemas that it writes to */
  readonly writes: readonly string[];
  /** whether it changes the schema */
  readonly ddl: boolean;
  /** whether it reads or writes anything temporary */
  readonly usesTemp: boolean;
  /** functions that it calls, in lower case */
  readonly functions: readonly string[];
  /**
   * virtual tables and table-valued functions, which are also in the lists above; `undefined` stands for one that is
   * not allowed
   */
  readonly virtualTables: readonly (string | undefined)[];
  /** instructions that affect a whole file or connection */
  readonly controls: readonly string[];
}

/**
 * P3 of a JournalMode instruction that only queries the mode; SQLite adds one to a CREATE or DROP that has nothing to
 * do.
 */
const ASKS_ONLY = -1;

const controls = new Set([
  'AutoCommit',
  'Checkpoint',
  'IncrVacuum',
  'MaxPgcnt',
  'Pagecount',
  'Savepoint',
  'SqlExec',
  'Vacuum',
]);

/** P5 flag of an open instruction whose page is in a register: the table is created by the statement. */
const P2_IS_REGISTER = 0x10;

/** Derives the effects of a statement from SQLite's program of it. */
export function programOf(connection: Connection, statement: Statement, schemas: Schemas): Program {
  const { text, tokens, first, verb, explain } = statement;
  const sql = text.slice(tokens[first]?.start ?? text.length);
  const parameters = parametersOf(text, tokens);
  const nulls =
    parameters.length === 0
      ? []
      : bindingsOf(
          parameters,
          parameters.map(() => null),
        );
  const instructions = connection.db
    .prepare(`EXPLAIN ${sql}`)
    .raw()
    .all(...nulls) as Instruction[]; // columns of EXPLAIN
  const reads = new Set<string>();
  const writes = new Set<string>();
  const writtenSchemas = new Set<string>();
  const functions = new Set<string>();
  const used = new Set<string>();
  const pointers = new Map<string, Set<string>>();
  let ddl = verb === 'ALTER' || verb === 'DROP' || verb === 'CREATE';
  let usesTemp = false;
  for (const [, opcode, p1, p2, p3, p4, p5] of instructions) {
    switch (opcode) {
      case 'Transaction':
        // DROP IF EXISTS searches every schema, temp included, for a missing object
        if (p1 === 1 && (p2 > 0 || verb !== 'DROP')) usesTemp = true;
        if (p2 > 0) writtenSchemas.add(schemas.name(p1));
        break;
      case 'OpenRead':
      case 'ReopenIdx':
        if ((p5 & P2_IS_REGISTER) === 0) reads.add(schemas.table(p3, p2));
        break;
      case 'OpenWrite':
        if ((p5 & P2_IS_REGISTER) === 0) writes.add(schemas.table(p3, p2));
        break;
      case 'Clear':
        writes.add(schemas.table(p2, p1));
        break;
      case 'Destroy':
        writes.add(schemas.table(p3, p1));
        break;
      case 'CreateBtree':
      case 'ParseSchema':
      case 'VCreate':
      case 'VDestroy':
        ddl = true;
        break;
      case 'VOpen':
      case 'VUpdate': {
        const pointer = String(p4);
        pointers.set(pointer, (pointers.get(pointer) ?? new Set()).add(opcode));
        break;
      }
      case 'Function':
      case 'PureFunc':
      case 'AggStep':
      case 'AggStep1':
      case 'AggInverse':
      case 'AggValue':
      case 'AggFinal':
        functions.add(functionName(String(p4)));
        break;
      case 'JournalMode':
        if (p3 !== ASKS_ONLY) used.add(opcode);
        break;
      default:
        // CREATE TABLE checks generated columns by SQL of its own, as PRAGMA optimize does its work
        if (controls.has(opcode) && (opcode !== 'SqlExec' || verb !== 'CREATE')) used.add(opcode);
    }
  }
  const virtual = virtualNames(connection, new Set(pointers.keys()), {
    statement,
    virtual: schemas.virtual(),
  });
  for (const [pointer, opcodes] of pointers) {
    const name = virtual.get(pointer);
    if (name === undefined) continue;
    if (opcodes.has('VOpen')) reads.add(name);
    if (opcodes.has('VUpdate')) writes.add(name);
  }
  for (const name of definedTables(statement, schemas.main)) writes.add(name);
  for (const schema of ['', 'temp.']) {
    writes.delete(`${schema}sqlite_schema`);
    if (ddl) reads.delete(`${schema}sqlite_schema`);
  }
  return {
    verb,
    explains: explain !== undefined,
    readsTables: [...reads].sort(),
    writesTables: [...writes].sort(),
    writes: [...writtenSchemas],
    ddl,
    usesTemp,
    functions: [...functions].sort(),
    virtualTables: [...new Set(virtual.values())],
    controls: [...used],
  };
}

/** Returns the name of `name(2)`, or of `name(-1)` for a function of any number of arguments. */
function functionName(signature: string): string {
  return signature.slice(0, signature.lastIndexOf('(')).toLowerCase();
}

/** Returns the tables that a CREATE, DROP or ALTER names; the program does not contain names of created tables. */
function definedTables({ text, tokens, first, verb }: Statement, { tableOf }: SchemaContents): string[] {
  if (verb === 'ANALYZE') return ['sqlite_stat1', 'sqlite_stat4'];
  if (verb !== 'CREATE' && verb !== 'DROP' && verb !== 'ALTER') return [];
  let at = first + 1;
  while (['TEMP', 'TEMPORARY', 'UNIQUE', 'VIRTUAL'].includes(tokens[at]?.word ?? '')) at += 1;
  const kind = tokens[at]?.word.toLowerCase() ?? '';
  at += 1;
  if (tokens[at]?.word === 'IF') at += tokens[at + 1]?.word === 'NOT' ? 3 : 2;
  if (tokens[at + 1]?.word === '.') at += 2;
  const named = (index: number): string[] => {
    const name = nameOf(text, tokens[index]);
    return name === undefined ? [] : [known(name)];
  };
  const known = (name: string): string =>
    tableOf.get(`table ${name.toLowerCase()}`) ?? tableOf.get(`view ${name.toLowerCase()}`) ?? name;
  if (kind === 'index' || kind === 'trigger') {
    if (verb === 'CREATE')
      return named(tokens.findIndex(({ word }, index) => index > at && word === 'ON') + 1);
    const dropped = nameOf(text, tokens[at])?.toLowerCase();
    return [tableOf.get(`${kind} ${dropped}`) ?? []].flat();
  }
  const renamed = tokens[at + 1]?.word === 'RENAME' && tokens[at + 2]?.word === 'TO';
  return [...named(at), ...(renamed ? named(at + 3) : [])];
}
