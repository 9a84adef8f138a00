import * as z from 'zod';
import { sourceFacts } from '../listing/output.ts';

const column = z.object({
  name: z.string(),
  type: z.string(),
  affinity: z.enum(['integer', 'text', 'blob', 'real', 'numeric']),
  not_null: z.boolean().optional(),
  default: z.string().optional(),
  primary_key: z.int().optional(),
  generated: z.enum(['virtual', 'stored']).optional(),
  hidden: z.boolean().optional(),
});

const indexColumn = z.object({
  name: z.string().optional(),
  expression: z.string().optional(),
  descending: z.boolean().optional(),
  collation: z.string().optional(),
});

const index = z.object({
  name: z.string(),
  unique: z.boolean(),
  origin: z.enum(['index', 'unique', 'primary-key']),
  columns: z.array(indexColumn),
  where: z.string().optional(),
});

const foreignKey = z.object({
  from: z.string(),
  columns: z.array(z.string()),
  to: z.string(),
  to_columns: z.array(z.string()).optional(),
  on_update: z.string().optional(),
  on_delete: z.string().optional(),
});

/** The output of describe_table. */
export const tableOutput = z.object({
  source: sourceFacts,
  table: z.string(),
  type: z.enum(['table', 'view', 'virtual', 'shadow']),
  strict: z.boolean().optional(),
  without_rowid: z.boolean().optional(),
  rows: z.number().optional(),
  rows_are: z.enum(['exact', 'estimated', 'at-most', 'at-least']).optional(),
  columns: z.array(column),
  indexes: z.array(index),
  foreign_keys: z.array(foreignKey),
  referenced_by: z.array(foreignKey),
  checks: z.array(z.string()),
  triggers: z.array(z.object({ name: z.string(), sql: z.string() })),
  bases: z.array(z.string()).optional(),
  module: z.string().optional(),
  options: z.array(z.string()).optional(),
  shadows: z.array(z.string()).optional(),
  sql: z.string(),
  samples: z.array(z.array(z.unknown())).optional(),
  truncated: z.boolean(),
});

export type TableOutput = z.input<typeof tableOutput>;
