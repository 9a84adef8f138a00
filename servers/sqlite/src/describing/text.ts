import { showName } from '@rootbound/kit/boundary';
import type { ColumnFacts } from '../lane/schema/columns.ts';
import type { TableFacts } from '../lane/schema/describe.ts';
import type { ForeignKey } from '../lane/schema/foreign-keys.ts';
import type { IndexColumn, IndexFacts } from '../lane/schema/indexes.ts';
import { rowsText } from '../shared/row-estimate.ts';

/** Returns the description of a table as lines: facts that its SQL does not state, then the SQL. */
export function textOfTable(facts: TableFacts): string[] {
  const { table, type, rows, rows_are, module, bases, shadows } = facts;
  const parts = [
    type,
    module === undefined ? undefined : `of ${showName(module)}`,
    rows === undefined || rows_are === undefined ? undefined : rowsText({ rows, rows_are }),
    facts.strict ? 'STRICT' : undefined,
    facts.without_rowid ? 'WITHOUT ROWID' : undefined,
  ];
  return [
    `${showName(table)} (${parts.filter((word) => word !== undefined).join(', ')})`,
    ...facts.columns.map((column) => `  ${columnText(column)}`),
    ...section('indexes', facts.indexes.map(indexText)),
    ...section('references', facts.foreign_keys.map(referenceText)),
    ...section('referenced by', facts.referenced_by.map(incomingText)),
    ...section('checks', facts.checks.map(showName)),
    ...section('based on', bases?.map(showName) ?? []),
    ...section('rows stored in', shadows?.map(showName) ?? []),
    ...section('options', facts.options?.map(showName) ?? []),
    facts.sql,
    ...facts.triggers.map(({ sql }) => sql),
  ].filter((line) => line !== '');
}

/** Returns the lines of sample rows. */
export function samplesText(columns: readonly ColumnFacts[], samples: readonly string[]): string[] {
  const names = columns.filter(({ hidden }) => hidden !== true).map(({ name }) => showName(name));
  return samples.length === 0 ? [] : [`samples of ${names.join(', ')}:`, ...samples.map((row) => `  ${row}`)];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

function columnText({
  name,
  type,
  not_null,
  default: otherwise,
  primary_key,
  generated,
  hidden,
}: ColumnFacts) {
  const parts = [
    showName(name),
    showName(type),
    primary_key === undefined ? '' : `primary key${primary_key > 1 ? ` ${primary_key}` : ''}`,
    not_null === true ? 'not null' : '',
    otherwise === undefined ? '' : `default ${showName(otherwise)}`,
    generated === undefined ? '' : `generated ${generated}`,
    hidden === true ? 'hidden' : '',
  ];
  return parts.filter((word) => word !== '').join(' ');
}

function indexText({ name, unique, columns, where }: IndexFacts): string {
  const terms = columns.map(termText).join(', ');
  const limit = where === undefined ? '' : ` where ${showName(where)}`;
  return `${showName(name)} (${terms})${unique ? ' unique' : ''}${limit}`;
}

function termText({ name, expression, collation, descending }: IndexColumn): string {
  const order = descending === true ? ' desc' : '';
  return `${showName(name ?? expression ?? '')}${collation === undefined ? '' : ` collate ${collation}`}${order}`;
}

function referenceText({ columns, to, to_columns, on_update, on_delete }: ForeignKey): string {
  const target = to_columns === undefined ? showName(to) : `${showName(to)} (${listed(to_columns)})`;
  const update = on_update === undefined ? '' : ` on update ${on_update.toLowerCase()}`;
  const remove = on_delete === undefined ? '' : ` on delete ${on_delete.toLowerCase()}`;
  return `(${listed(columns)}) -> ${target}${update}${remove}`;
}

function incomingText(key: ForeignKey): string {
  return `${showName(key.from)} ${referenceText(key)}`;
}

function listed(names: readonly string[]): string {
  return names.map(showName).join(', ');
}
