import { counted, moreNote } from '@rootbound/kit/budget';
import type { ConflictFacts, ConflictsOutput, RegionFacts, VersionFacts } from './conflict-schema.ts';
import { operationLine } from './operations.ts';

/** Returns the operation in progress, then a line for each conflict, with its texts as a file in conflict has them. */
export function textOf(facts: ConflictsOutput): string {
  const { operations = [], conflicts, total, truncated, next_cursor } = facts;
  const lines = [...operations.map(operationLine), ...headLines(facts), ...conflicts.flatMap(conflictLines)];
  if (truncated) lines.push(moreNote(`${conflicts.length} of ${total}`, next_cursor));
  return lines.join('\n');
}

function headLines({ preflight, operations = [], total }: ConflictsOutput): string[] {
  const count = total === 0 ? 'no conflicts' : counted(total, 'path in conflict', 'paths in conflict');
  if (preflight !== undefined) {
    const { ours, theirs, clean, messages } = preflight;
    const merge = `merging ${theirs.slice(0, 12)} into ${ours.slice(0, 12)}`;
    return [clean ? `${merge} would be clean` : `${merge} would end with ${count}`, ...messages];
  }
  return total === 0 && operations.length === 0 ? ['nothing in progress, no conflicts'] : [count];
}

function conflictLines(facts: ConflictFacts): string[] {
  const { path, conflict, regions, region_count: count, stray, cut, lossy } = facts;
  const where = regions?.map(({ start, end }) => `${start}-${end}`).join(', ');
  const marked = where === undefined ? '' : where === '' ? ', no markers' : `, lines ${where}`;
  const notes = [
    ...(stray === undefined ? [] : [`stray markers at ${stray.join(', ')}`]),
    ...(cut === true ? ['some are omitted'] : []),
    ...(count !== undefined && count > regions!.length ? [`${count} conflicts in all`] : []),
    ...(lossy === true ? ['lines that are not UTF-8 are decoded as Latin-1'] : []),
  ];
  return [
    `${conflict} ${path}${marked}${notes.map((note) => ` [${note}]`).join('')}`,
    ...(['base', 'ours', 'theirs'] as const).flatMap((side) => versionLines(side, facts[side])),
    ...(regions ?? []).flatMap(regionLines),
  ];
}

function versionLines(side: string, version: VersionFacts | undefined): string[] {
  if (version === undefined) return [];
  const { mode, oid, text, binary } = version;
  const head = `  ${side} ${mode} ${oid.slice(0, 12)}${binary === true ? ' (binary)' : ''}`;
  return text === undefined ? [head] : [head, withoutLast(text)];
}

function regionLines({ start, ours_label, theirs_label, ours, base, theirs }: RegionFacts): string[] {
  if (ours === undefined || theirs === undefined) return [];
  return [
    `${start}:`,
    `<<<<<<< ${ours_label}`,
    ...textLines(ours),
    ...(base === undefined ? [] : ['|||||||', ...textLines(base)]),
    '=======',
    ...textLines(theirs),
    `>>>>>>> ${theirs_label}`,
  ];
}

function textLines(text: string): string[] {
  return text === '' ? [] : [withoutLast(text)];
}

function withoutLast(text: string): string {
  return text.replace(/\n$/, '');
}
