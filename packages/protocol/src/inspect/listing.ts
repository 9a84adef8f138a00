import type { Client } from '../client/client.ts';
import { toolHints } from '../client/display.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';
import { visible } from '../protocol/visible.ts';

/** The name, capabilities and lists of a server. */
export interface Inventory {
  readonly revision: string;
  readonly era: string;
  readonly serverInfo: t.Implementation | undefined;
  readonly instructions: string | undefined;
  readonly capabilities: t.ServerCapabilities;
  readonly tools: readonly t.Tool[];
  readonly resources: readonly t.Resource[];
  readonly resourceTemplates: readonly t.ResourceTemplate[];
  readonly prompts: readonly t.Prompt[];
}

/** Requests all lists of a server. */
export async function takeInventory(client: Client): Promise<Inventory> {
  const { capabilities = {}, revision, era, serverInfo, instructions } = client;
  const { tools, resources, prompts } = capabilities;
  return {
    revision,
    era,
    serverInfo,
    instructions,
    capabilities,
    tools: tools === undefined ? [] : await client.listTools(),
    resources: resources === undefined ? [] : await client.listResources(),
    resourceTemplates: resources === undefined ? [] : await client.listResourceTemplates(),
    prompts: prompts === undefined ? [] : await client.listPrompts(),
  };
}

/** Returns an inventory as text. */
export function renderInventory(inventory: Inventory): string {
  const { serverInfo, instructions, revision, era, capabilities } = inventory;
  const { tools, resources, resourceTemplates, prompts } = inventory;
  const { name = 'a server without a name', version = '', title, description } = serverInfo ?? {};
  const about = [title, description].filter((part) => part !== undefined).join('. ');
  return [
    `${visible(`${name} ${version}`.trim())}${about === '' ? '' : `: ${visible(about)}`}\n`,
    `speaks ${revision} (${era}); ${capabilitiesIn(capabilities)}\n`,
    instructions === undefined ? '' : `${indented(instructions, 0)}\n`,
    section('Tools', tools.map(renderTool)),
    section('Resources', resources.map(renderResource)),
    section('Templates', resourceTemplates.map(renderTemplate)),
    section('Prompts', prompts.map(renderPrompt)),
  ].join('');
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `\n${title} (${items.length})\n${items.join('')}`;
}

/** Returns the names of capabilities with their details. */
function capabilitiesIn(capabilities: t.ServerCapabilities): string {
  const names = Object.entries(capabilities).map(([name, value]) => {
    const details = isObject(value) ? Object.keys(value).filter((key) => value[key] !== false) : [];
    return details.length === 0 ? name : `${name} (${details.join(', ')})`;
  });
  return names.length === 0 ? 'it declares no capabilities' : visible(names.join(', '));
}

function renderTool(tool: t.Tool): string {
  const { name, description, inputSchema, outputSchema } = tool;
  const hints = toolHints(tool);
  const kind = hints.readOnly ? 'reads only' : hints.destructive ? 'may destroy' : 'changes';
  const args = argumentsOf(inputSchema);
  return [
    `  ${visible(name)} [${kind}]\n`,
    description === undefined ? '' : `${indented(description, 4)}\n`,
    args === '' ? '' : `    takes ${visible(args)}\n`,
    outputSchema === undefined ? '' : `    gives ${visible(argumentsOf(outputSchema))}\n`,
  ].join('');
}

/** Returns the properties of a schema as `name: type`; optional ones have a question mark. */
function argumentsOf({ properties, required }: Params): string {
  if (!isObject(properties)) return '';
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties)
    .map(([name, schema]) => `${name}${needed.includes(name) ? '' : '?'}: ${typeIn(schema)}`)
    .join(', ');
}

function typeIn(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  const { type, enum: words, items } = schema;
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(' | ');
  if (type === 'array') return `${typeIn(items)}[]`;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function renderResource({ uri, name, mimeType, description }: t.Resource): string {
  return entry(`${uri}  ${name}${mimeType === undefined ? '' : `  ${mimeType}`}`, description);
}

function renderTemplate({ uriTemplate, name, mimeType, description }: t.ResourceTemplate): string {
  return entry(`${uriTemplate}  ${name}${mimeType === undefined ? '' : `  ${mimeType}`}`, description);
}

function renderPrompt({ name, description, arguments: taken = [] }: t.Prompt): string {
  const args = taken.map((one) => (one.required === true ? one.name : `${one.name}?`)).join(', ');
  return `${entry(name, description)}${args === '' ? '' : `    takes ${visible(args)}\n`}`;
}

function entry(head: string, description: string | undefined): string {
  return `  ${visible(head)}\n${description === undefined ? '' : `${indented(description, 4)}\n`}`;
}

/** Returns the lines of a text, indented by so many spaces. */
function indented(text: string, spaces: number): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => `${' '.repeat(spaces)}${visible(line)}`.trimEnd())
    .join('\n');
}
