import { type AnyTool, tool } from '@rootbound/protocol';
import * as z from 'zod';

const address = z
  .object({ street: z.string(), city: z.string() })
  .partial()
  .meta({ id: 'address', $anchor: 'addressDef' });

const contact = z
  .strictObject({
    name: z.string(),
    address,
    contactMethod: z.enum(['phone', 'email']),
    phone: z.string(),
    email: z.string(),
  })
  .partial()
  .meta({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema
    then: { required: ['phone'] }, // oxlint-disable-line unicorn/no-thenable
    else: { required: ['email'] },
  });

/** Tools whose input schemas use more keywords than types. */
export const schemaTools: readonly AnyTool[] = [
  tool({
    name: 'json_schema_2020_12_tool',
    description: 'Takes a contact, described with keywords of JSON Schema 2020-12.',
    input: contact,
    run: (args) => JSON.stringify(args),
  }),
  tool({
    name: 'test_x_mcp_header',
    description: 'Takes a region, which clients over HTTP also send as a header.',
    input: z.object({
      region: z.string().describe('where to look').meta({ 'x-mcp-header': 'Region' }),
    }),
    run: ({ region }) => `Region: ${region}`,
  }),
];
