import { invalidArguments } from '../fetching/tool-result.ts';

export interface BodyArguments {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

export interface Message {
  /** by lower-case name */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const ACCEPT = 'application/json, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.5';

/** Returns the header fields and the body of a request; the caller's Content-Type takes precedence. */
export function messageOf(args: BodyArguments): Message {
  const given = [args.body, args.json, args.form].filter((one) => one !== undefined).length;
  if (given > 1) throw invalidArguments('body, json and form exclude each other', 'give one of them');
  if (given === 1 && /^(?:GET|HEAD)$/.test(args.method))
    throw invalidArguments(`${args.method} takes no body`, 'leave it out, or use another method');
  const headers = { accept: ACCEPT, ...lowered(args.headers ?? {}) };
  const content = contentOf(args);
  if (content === undefined) return { headers, body: undefined };
  return { headers: { 'content-type': content.type, ...headers }, body: Buffer.from(content.text) };
}

function contentOf({ body, json, form }: BodyArguments): { type: string; text: string } | undefined {
  if (json !== undefined) return { type: 'application/json', text: JSON.stringify(json) };
  if (form !== undefined) return { type: 'application/x-www-form-urlencoded', text: encodeForm(form) };
  return body === undefined ? undefined : { type: 'text/plain; charset=utf-8', text: body };
}

function encodeForm(form: NonNullable<BodyArguments['form']>): string {
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries(form))
    for (const value of [values].flat()) fields.append(name, value);
  return fields.toString();
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const twice = fields.find(([name], index) => fields.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw invalidArguments(`the header ${twice[0]} is given twice`, 'give it once');
  return Object.fromEntries(fields);
}
