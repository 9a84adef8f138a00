import type { ElicitationProvider, ProviderContext } from '../client/providers.ts';
import { isObject } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';
import { visible, visibleLines } from '../protocol/visible.ts';
import { readValue } from './arguments.ts';
import type { Io } from './io.ts';
import { Problem } from './problem.ts';

type Content = NonNullable<t.ElicitResult['content']>;

/** Returns a provider that asks the user at the terminal; without a terminal it declines. */
export function askingOn(io: Io, before: () => void): ElicitationProvider {
  return {
    form: async (params, context) => {
      before();
      return askForm(io, params, context);
    },
    url: async ({ message, url }, { signal }) => {
      before();
      io.err(`the server asks: ${visibleLines(message)}\n  ${visible(url)}\n`);
      return { action: await agreement(io, 'Open this page yourself, then answer yes', signal) };
    },
  };
}

async function askForm(
  io: Io,
  { message, requestedSchema }: t.ElicitRequestFormParams,
  { signal }: ProviderContext,
): Promise<t.ElicitResult> {
  io.err(`the server asks: ${visibleLines(message)}\n`);
  const action = await agreement(io, 'Answer', signal);
  if (action !== 'accept' || io.ask === undefined) return { action };
  const content: Content = {};
  const { properties, required = [] } = requestedSchema;
  for (const [name, field] of Object.entries(properties)) {
    const value = await askField(io, io.ask, { name, field, needed: required.includes(name), signal });
    if (value !== undefined) content[name] = value;
  }
  return { action, content };
}

async function agreement(io: Io, what: string, signal: AbortSignal): Promise<t.ElicitResult['action']> {
  if (io.ask === undefined) {
    io.err('  declined: there is no terminal to ask the user\n');
    return 'decline';
  }
  const word = (await io.ask(`  ${what}? [yes / no / cancel] `, signal)).trim().toLowerCase();
  if (word.startsWith('y')) return 'accept';
  return word.startsWith('c') ? 'cancel' : 'decline';
}

interface Field {
  readonly name: string;
  readonly field: t.ElicitRequestFormParams['requestedSchema']['properties'][string];
  readonly needed: boolean;
  readonly signal: AbortSignal;
}

/** Asks for one field until the answer has its type; an empty answer leaves it out. */
async function askField(
  io: Io,
  ask: NonNullable<Io['ask']>,
  { name, field, needed, signal }: Field,
): Promise<Content[string] | undefined> {
  const { title = name, description } = field;
  const choices = choicesOf(field);
  const kind = choices.length > 0 ? choices.join(' | ') : String(field.type);
  const fallback = field.default === undefined ? '' : `, default ${JSON.stringify(field.default)}`;
  if (description !== undefined) io.err(`  ${visible(description)}\n`);
  for (;;) {
    const text = await ask(`  ${visible(title)} (${visible(`${kind}${fallback}`)}): `, signal);
    if (text === '' && (!needed || field.default !== undefined)) return undefined;
    try {
      if (field.type === 'array') return text.split(',').map((item) => item.trim());
      return readValue(name, text, { type: field.type }) as Content[string]; // readValue has returned the field's type
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      io.err(`  ${visible(error.message)}\n`);
    }
  }
}

/** Returns the values that a field allows. */
function choicesOf(field: object): string[] {
  const { enum: words, oneOf, anyOf, items } = field as Record<string, unknown>; // each member is checked before use
  if (Array.isArray(words)) return words.map(String);
  const named = [oneOf, anyOf].find(Array.isArray);
  if (named !== undefined) return named.filter(isObject).map(({ const: word }) => String(word));
  return isObject(items) ? choicesOf(items) : [];
}
