import { nameOf } from '../../shared/sql/names.ts';
import type { Statement } from '../../shared/sql/statement.ts';
import type { Holdings } from './roots.ts';

/** The tables that a CREATE, DROP or ALTER is about; a program does not tell the names of those that it makes. */
export function subjectsOf({ text, tokens, first, verb }: Statement, { tableOf }: Holdings): string[] {
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
