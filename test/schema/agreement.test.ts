import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as ours from '../../packages/protocol/src/protocol/schemas/index.ts';
import { full } from '../extent.ts';
import { at, type Instance, instancesOf, type Mutation, merge, mutationsOf } from './instances.ts';
import { byMethod, type Official, official, resultName, revisionNames, type Schema } from './official.ts';

interface Ours {
  safeParse: (value: unknown) => { success: boolean; data?: unknown };
}

/** One message part with its official schema and our schema. */
interface Case {
  name: string;
  official: Official;
  form: Schema;
  ours: Ours | undefined;
}

/** Values that we accept although the official schema refuses them, with the reason. */
interface Leniency {
  reason: string;
  covers: (mutation: Mutation, revision: string) => boolean;
}

const last = ({ path }: Mutation) => String(path.at(-1));
const within = ({ path }: Mutation, ...names: string[]) =>
  names.some((name) => path.slice(0, -1).includes(name));
const isFormAnswer = ({ path }: Mutation) => path.at(-2) === 'content' && typeof path.at(-1) === 'string';

/** Returns whether a path is in a member that may be any JSON object. */
function isJson({ path }: Mutation): boolean {
  return path.slice(0, -1).some((name, index) => {
    const parent = path[index - 1];
    if (parent === 'sampling') return name === 'context' || name === 'tools';
    if (parent === 'elicitation') return name === 'form' || name === 'url';
    return ['experimental', 'extensions', 'completions', 'logging', 'metadata'].includes(String(name));
  });
}

const leniencies: readonly Leniency[] = [
  {
    reason: 'a result without resultType is complete (basic#resulttype, MUST)',
    covers: (mutation, revision) =>
      revision === '2026-07-28' && mutation.value === undefined && last(mutation) === 'resultType',
  },
  {
    reason:
      'an absent or negative ttlMs counts as 0, and without it an absent cacheScope means nothing (caching, SHOULD)',
    covers: (mutation, revision) =>
      revision === '2026-07-28' &&
      ((last(mutation) === 'ttlMs' && (mutation.value === undefined || mutation.value === -1)) ||
        (last(mutation) === 'cacheScope' && mutation.value === undefined)),
  },
  {
    reason: 'a form may hold fractions: the schema says integer where its source says number',
    covers: (mutation) => mutation.value === 1.5 && isFormAnswer(mutation),
  },
  {
    reason: 'JSON values may be null or fractions: the schema forgot them, its source has them',
    covers: (mutation, revision) =>
      revision === '2026-07-28' && (mutation.value === null || mutation.value === 1.5) && isJson(mutation),
  },
  {
    reason: 'true is a JSON Schema, and servers write it for a property that may be anything',
    covers: (mutation) =>
      mutation.value === true &&
      within(mutation, 'inputSchema', 'outputSchema') &&
      mutation.path.at(-2) === 'properties',
  },
  {
    reason: 'formats are the business of who uses the value: text that is no URI or base64 is passed on',
    covers: (mutation) =>
      mutation.value === 'other' &&
      ['uri', 'uriTemplate', 'url', 'src', 'websiteUrl', 'data', 'blob'].includes(last(mutation)),
  },
];

const used = new Set<Leniency>();

/** Number of changes of each form that are always tried, and the stride for the rest in a short run. */
const ALWAYS = 30;
const EVERY = 8;
const isTried = (index: number): boolean => full || index < ALWAYS || index % EVERY === 0;

describe.each(revisionNames)('%s', (revision) => {
  const cases = casesOf(official(revision));

  test.each(cases)(
    '$name: values that the official schema accepts are accepted and passed through unchanged',
    (each) => {
      const accepts = each.official.compile(each.form);
      const instances = formsOf(each);
      expect(instances.length).toBeGreaterThan(0);
      const refusedOrChanged: Instance[] = [];
      for (const instance of instances.filter((_, index) => isTried(index))) {
        if (!accepts(instance)) throw new Error(`not an instance: ${JSON.stringify(instance)}`);
        const parsed = each.ours!.safeParse(instance);
        if (!isDeepStrictEqual(parsed.data, instance)) refusedOrChanged.push(instance);
      }
      expect(refusedOrChanged).toEqual([]);
    },
  );

  test.each(cases)('$name: invalid values are refused like by the official schema', (each) => {
    const accepts = each.official.compile(each.form);
    const disagreements: string[] = [];
    let refused = 0;
    for (const [mutation, around] of mutationsIn(each, revision)) {
      const official = accepts(mutation.instance);
      if (!official) refused += 1;
      const own = each.ours!.safeParse(mutation.instance).success;
      if (official === own) continue;
      const leniency = own && leniencies.find((rule) => rule.covers(mutation, revision));
      if (leniency) used.add(leniency);
      else disagreements.push(sentence(own, mutation, around));
    }
    expect(disagreements.slice(0, 5)).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });

  test('params are optional where the official schema makes them optional', () => {
    const schema = official(revision);
    for (const [method, name] of requestsOf(schema)) {
      const needed = schema.definitions[name]!.required?.includes('params') ?? false;
      expect([method, ours.params(revision, method)!.safeParse(undefined).success]).toEqual([
        method,
        !needed,
      ]);
    }
    for (const [method, name] of notificationsOf(schema)) {
      const needed = schema.definitions[name]!.required?.includes('params') ?? false;
      expect([method, ours.notification(revision, method)!.safeParse(undefined).success]).toEqual([
        method,
        !needed,
      ]);
    }
  });

  test('a method of another revision is unknown', () => {
    const own = new Map([...requestsOf(official(revision)), ...notificationsOf(official(revision))]);
    for (const other of revisionNames) {
      for (const method of requestsOf(official(other)).keys()) {
        const found = [ours.params(revision, method), ours.result(revision, method)].map(
          (each) => each !== undefined,
        );
        expect([method, ...found]).toEqual([method, own.has(method), own.has(method)]);
      }
      for (const method of notificationsOf(official(other)).keys()) {
        expect([method, ours.notification(revision, method) !== undefined]).toEqual([
          method,
          own.has(method),
        ]);
      }
    }
    expect([ours.params(revision, 'toString'), ours.notification(revision, 'toString')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

test('every leniency is needed', () => {
  expect(leniencies.filter((leniency) => !used.has(leniency)).map(({ reason }) => reason)).toEqual([]);
});

/** Yields every change of every form of a case, without duplicates. */
function* mutationsIn(each: Case, revision: string): Generator<[Mutation, string]> {
  const seen = new Set<string>();
  let index = 0;
  for (const instance of formsOf(each)) {
    let here: Mutation['path'] | undefined;
    let around = '';
    for (const mutation of mutationsOf(instance)) {
      if (!isTried(index++) && !leniencies.some((rule) => rule.covers(mutation, revision))) continue;
      // changes of one place are consecutive
      if (here !== mutation.path) around = outline(at(instance, mutation.path.slice(0, -1)));
      here = mutation.path;
      const change = `${mutation.path.join('.')} ${JSON.stringify(mutation.value)} ${around}`;
      if (seen.has(change)) continue;
      seen.add(change);
      yield [mutation, around];
    }
  }
}

function sentence(own: boolean, mutation: Mutation, around: string): string {
  const change = `${mutation.path.join('.')} = ${JSON.stringify(mutation.value)}`;
  return `${own ? 'accepts' : 'refuses'} ${change} beside ${around}`;
}

/** Returns a key for a value that distinguishes its members, but not their members. */
function outline(value: Instance): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  return JSON.stringify(Object.entries(value).map(([name, member]) => [name, kind(member)]));
}

function kind(member: unknown): unknown {
  if (Array.isArray(member)) return [];
  return typeof member === 'object' && member !== null ? {} : member;
}

const built = new Map<Case, Instance[]>();

function formsOf(each: Case): Instance[] {
  let instances = built.get(each);
  if (instances === undefined) {
    instances = unique(instancesOf(each.official.definitions, each.form));
    built.set(each, instances);
  }
  return instances;
}

function unique(instances: Instance[]): Instance[] {
  return [...new Map(instances.map((instance) => [JSON.stringify(instance), instance])).values()];
}

function casesOf(schema: Official): Case[] {
  return [
    ...requestCases(schema),
    ...notificationCases(schema),
    ...questionCases(schema),
    ...otherCases(schema),
  ];
}

function requestsOf(schema: Official): Map<string, string> {
  return new Map([...byMethod(schema, 'ClientRequest'), ...byMethod(schema, 'ServerRequest')]);
}

function notificationsOf(schema: Official): Map<string, string> {
  return new Map([...byMethod(schema, 'ClientNotification'), ...byMethod(schema, 'ServerNotification')]);
}

function requestCases(schema: Official): Case[] {
  return [...requestsOf(schema)].flatMap(([method, name]) => [
    {
      name: `params of ${method}`,
      official: schema,
      form: paramsForm(schema, 'JSONRPCRequest', name),
      ours: ours.params(schema.revision, method),
    },
    {
      name: `result of ${method}`,
      official: schema,
      form: resultForm(schema, name),
      ours: ours.result(schema.revision, method),
    },
  ]);
}

function notificationCases(schema: Official): Case[] {
  return [...notificationsOf(schema)].map(([method, name]) => ({
    name: `params of ${method}`,
    official: schema,
    form: paramsForm(schema, 'JSONRPCNotification', name),
    ours: ours.notification(schema.revision, method),
  }));
}

/** Returns the input requests in a result, in revisions that have them. */
function questionCases(schema: Official): Case[] {
  const definition = schema.definitions.InputRequest;
  if (definition === undefined) return [];
  return [...byMethod(schema, 'InputRequest')].flatMap(([method, name]) => [
    {
      name: `question ${method}`,
      official: schema,
      form: schema.definitions[name]!.properties!.params!,
      ours: ours.questionParams(schema.revision, method),
    },
    {
      name: `answer to ${method}`,
      official: schema,
      form: schema.ref(resultName(schema, name)),
      ours: ours.answer(schema.revision, method),
    },
  ]);
}

/** Returns the cases of created tasks and error data, in revisions that have them. */
function otherCases(schema: Official): Case[] {
  const cases: Case[] = [];
  if (schema.definitions.CreateTaskResult !== undefined) {
    const form = schema.ref('CreateTaskResult');
    cases.push({
      name: 'result of a call with task',
      official: schema,
      form,
      ours: ours.taskResult(schema.revision, 'tools/call'),
    });
  }
  for (const [name, definition] of Object.entries(schema.definitions)) {
    for (const part of definition.properties?.error?.allOf ?? []) {
      const [code, form] = [part.properties?.code?.const, part.properties?.data];
      if (typeof code !== 'number' || form === undefined) continue;
      cases.push({
        name: `data of ${name}`,
        official: schema,
        form,
        ours: ours.errorData(schema.revision, code),
      });
    }
  }
  return cases;
}

/** Returns the schema of params: that of the envelope and that of the method. */
function paramsForm(schema: Official, envelope: string, name: string): Schema {
  const parts = [envelope, name].map(
    (part) => schema.definitions[part]!.properties?.params ?? { type: 'object' },
  );
  const [open, own] = parts as [Schema, Schema];
  const resolved =
    own.$ref === undefined ? own : schema.definitions[own.$ref.slice(own.$ref.lastIndexOf('/') + 1)]!;
  return resolved.anyOf === undefined ? merge(schema.definitions, [open, own]) : own;
}

/** Returns the schema of a result; in the stateless era resultType selects the result or the input requests. */
function resultForm(schema: Official, name: string): Schema {
  const complete = resultName(schema, name);
  const response = schema.definitions[`${complete}Response`]?.properties?.result;
  if (response?.anyOf === undefined) return schema.ref(complete);
  const mark: Schema = { type: 'object', properties: { resultType: { const: 'input_required' } } };
  const questions = merge(schema.definitions, [schema.ref('InputRequiredResult'), mark]);
  return { anyOf: [questions, schema.ref(complete)] };
}
