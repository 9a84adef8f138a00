import { rpcError } from '../protocol/errors.ts';
import { SchemaError } from '../protocol/json-schema/failure.ts';
import type * as t from '../protocol/types.ts';
import { mismatch } from './json-schema.ts';

type Content = NonNullable<t.ElicitResult['content']>;

/**
 * Returns the response to a form as it is sent: an accepted one has the defaults of missing fields and
 * matches the form, any other has no content. Throws a TypeError if the provider's content does not match.
 */
export async function completeForm(
  { message, requestedSchema }: t.ElicitRequestFormParams,
  { action, content = {} }: t.ElicitResult,
): Promise<t.ElicitResult> {
  if (action !== 'accept') return { action };
  const filled: Content = { ...defaultsOf(requestedSchema), ...content };
  const problem = await mismatch(requestedSchema, filled).catch(unusable);
  if (problem !== undefined) {
    throw new TypeError(`the response to the form ${JSON.stringify(message)} does not match: ${problem}`);
  }
  return { action, content: filled };
}

function unusable(error: unknown): never {
  if (!(error instanceof SchemaError)) throw error;
  throw rpcError('InvalidParams', `requestedSchema cannot be used: ${error.message}`);
}

function defaultsOf({ properties }: t.ElicitRequestFormParams['requestedSchema']): Content {
  const defaults: Content = {};
  for (const [name, { default: value }] of Object.entries(properties)) {
    if (value !== undefined) defaults[name] = value;
  }
  return defaults;
}
