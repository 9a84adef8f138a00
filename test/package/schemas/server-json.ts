import { z } from 'zod';

const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);

const argument = z.strictObject({
  type: z.literal('positional'),
  // one of valueHint and value is wanted, and what has a value cannot be chosen
  valueHint: z.string().min(1),
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  isRequired: z.boolean(),
  isRepeated: z.boolean(),
});

/** A `server.json` of the registry for a server that npm has, as the schema of 2025-12-11 wants it. */
export const serverJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  repository: z.strictObject({
    url: z.url(),
    source: z.literal('github'),
    subfolder: z.string().regex(/^[\w-]+(?:\/[\w-]+)*$/),
  }),
  version: exactVersion.max(255),
  packages: z
    .array(
      z.strictObject({
        // the registry that npm has by default, which the schema takes where none is named
        registryType: z.literal('npm'),
        identifier: z.string().regex(/^@rootbound\/server-/),
        version: exactVersion,
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(argument).min(1).optional(),
      }),
    )
    .length(1),
});
