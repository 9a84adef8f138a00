import { z } from 'zod';

const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);

const argument = z.strictObject({
  type: z.literal('positional'),
  // either valueHint or value is required; an argument with a value is fixed
  valueHint: z.string().min(1),
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  isRequired: z.boolean(),
  isRepeated: z.boolean(),
});

/** A `server.json` of the registry for an npm package, by the schema of 2025-12-11. */
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
        // the default registry of npm, which the schema assumes
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
