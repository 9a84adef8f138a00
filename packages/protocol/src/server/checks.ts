import { checkIcons } from '../protocol/icons.ts';
import { checkMeta } from '../protocol/meta.ts';
import type * as t from '../protocol/types.ts';
import type { PromptDefinition, ResourceDefinition, TemplateDefinition } from './define.ts';
import type { CacheHints, ServerOptions } from './registry.ts';

/** Throws a TypeError that names the first invalid option and its valid values. */
export function checkOptions<S>(options: ServerOptions<S>): void {
  const { name, version, icons, websiteUrl, instructions, pageSize, listHints, stateKey } = options;
  assertText('name', name);
  assertText('version', version);
  if (instructions !== undefined && typeof instructions !== 'string')
    throw new TypeError('instructions must be a string');
  if (websiteUrl !== undefined && !/^https?:\/\//.test(websiteUrl))
    throw new TypeError('websiteUrl must be an http: or https: URL');
  checkIcons('the server', icons);
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize > 0))
    throw new TypeError('pageSize must be an integer of at least 1');
  if (stateKey !== undefined && stateKey.length !== 32) throw new TypeError('stateKey must have 32 bytes');
  checkHints(listHints);
  for (const entry of options.resources ?? []) checkResource(entry);
  for (const entry of options.prompts ?? []) checkPrompt(entry);
  assertDistinct(
    'prompts',
    'name',
    (options.prompts ?? []).map((prompt) => prompt.name),
  );
  assertDistinct(
    'resources',
    'uri',
    (options.resources ?? []).flatMap((entry) => (entry.kind === 'resource' ? [entry.uri] : [])),
  );
}

function checkHints(hints: CacheHints | undefined): void {
  if (hints === undefined) return;
  const { ttlMs, cacheScope } = hints;
  if (!(Number.isSafeInteger(ttlMs) && ttlMs >= 0))
    throw new TypeError('listHints.ttlMs must be an integer of at least 0');
  if (cacheScope !== 'public' && cacheScope !== 'private')
    throw new TypeError('listHints.cacheScope must be public or private');
}

function checkResource<S>(entry: ResourceDefinition<S> | TemplateDefinition<S>): void {
  const uri = entry.kind === 'resource' ? entry.uri : entry.uriTemplate;
  const what = `resource ${uri}`;
  assertText(`name of ${what}`, entry.name);
  checkAnnotations(what, entry.annotations);
  checkIcons(what, entry.icons);
  checkMeta(what, entry._meta);
  const { size } = entry as t.Resource; // a template has no size
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0))
    throw new TypeError(`size of ${what} must be an integer of at least 0`);
  // the expressions that `uri-template.ts` can match
  if (entry.kind === 'template' && /[{}]/.test(uri.replace(/\{\+?\w+\}/g, '')))
    throw new TypeError(`uriTemplate ${uri} may contain only {name} and {+name}`);
}

function checkPrompt<S>({ name, icons, _meta, arguments: args = [] }: PromptDefinition<S>): void {
  assertText('name of a prompt', name);
  checkIcons(`prompt ${name}`, icons);
  checkMeta(`prompt ${name}`, _meta);
  for (const argument of args) assertText(`name of an argument of prompt ${name}`, argument.name);
  assertDistinct(
    `arguments of prompt ${name}`,
    'name',
    args.map((argument) => argument.name),
  );
}

/** Throws a TypeError for invalid annotations. */
function checkAnnotations(what: string, annotations: t.Annotations | undefined): void {
  const { audience = [], priority, lastModified } = annotations ?? {};
  if (!Array.isArray(audience) || !audience.every((one) => one === 'user' || one === 'assistant'))
    throw new TypeError(`annotations.audience of ${what} must list user, assistant or both`);
  if (priority !== undefined && !(priority >= 0 && priority <= 1))
    throw new TypeError(`annotations.priority of ${what} must be between 0 and 1`);
  if (lastModified !== undefined && Number.isNaN(Date.parse(lastModified)))
    throw new TypeError(`annotations.lastModified of ${what} must be a time such as 2025-01-12T15:00:58Z`);
}

function assertText(what: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${what} must be a non-empty string`);
}

function assertDistinct(what: string, member: string, values: readonly string[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) throw new TypeError(`two ${what} have the ${member} ${twice}`);
}
