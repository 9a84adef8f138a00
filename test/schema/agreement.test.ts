import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as ours from '../../packages/protocol/src/protocol/schemas/index.ts';
import { full } from '../extent.ts';
import { at, type Instance, instancesOf, type Mutation, merge, mutationsOf } from './instances.ts';
import { byMethod, type Official, official, resultName, revisionNames, type Schema } from './official.ts';

interface Ours {
  safeParse: (value: unknown) => { success: boolean; data?: unknown };
}

/** One value on the wire: what the official schema says of it, and our schema. */
interface Case {
  name: string;
  official: Official;
  form: Schema;
  ours: Ours | undefined;
}

/** What we accept although the official schema refuses it, and why. */
interface Leniency {
  reason: string;
  covers: (mutation: Mutation, revision: string) => boolean;
}

const last = ({ path }: Mutation) => String(path.at(-1));
const within = ({ path }: Mutation, ...names: string[]) =>
  names.some((name) => path.slice(0, -1).includes(name));
const isFormAnswer = ({ path }: Mutation) => path.at(-2) === 'content' && typeof path.at(-1) === 'string';

/** Whether a path leads into one of the members that may be any JSON object. */
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

/** Of what is made of one form, so much is always tried; of the rest, each so many where time is short. */
const ALWAYS = 30;
const EVERY = 8;
const isTried = (index: number): boolean => full || index < ALWAYS || index % EVERY === 0;

describe.each(revisionNames)('%s', (revision) => {
  const cases = casesOf(official(revision));

  test.each(cases)('$name: what the official schema accepts is accepted and passed through whole', (each) => {
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
  });

  test.each(cases)('$name: broken instances are refused as the official schema refuses them', (each) => {
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

  test('params that may be left out are the ones the official schema leaves optional', () => {
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

  test('a method that only another revision has is unknown', () => {
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

/** Every change to every form of a case, with its neighbours; one change beside the same neighbours comes once. */
function* mutationsIn(each: Case, revision: string): Generator<[Mutation, string]> {
  const seen = new Set<string>();
  let index = 0;
  for (const instance of formsOf(each)) {
    let here: Mutation['path'] | undefined;
    let around = '';
    for (const mutation of mutationsOf(instance)) {
      if (!isTried(index++) && !leniencies.some((rule) => rule.covers(mutation, revision))) continue;
      // changes of one place come one after the other
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

/** A value with its own members told apart, but not theirs. */
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

/** What may be asked inside a result, where the revision has that. */
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

/** Tasks that were created and data of errors, where the revision has them. */
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

/** Params as the envelope and the method's own definition want them together. */
function paramsForm(schema: Official, envelope: string, name: string): Schema {
  const parts = [envelope, name].map(
    (part) => schema.definitions[part]!.properties?.params ?? { type: 'object' },
  );
  const [open, own] = parts as [Schema, Schema];
  const resolved =
    own.$ref === undefined ? own : schema.definitions[own.$ref.slice(own.$ref.lastIndexOf('/') + 1)]!;
  return resolved.anyOf === undefined ? merge(schema.definitions, [open, own]) : own;
}

/** A result as its own definition wants it, or in the stateless era the questions, which resultType tells apart. */
function resultForm(schema: Official, name: string): Schema {
  const complete = resultName(schema, name);
  const response = schema.definitions[`${complete}Response`]?.properties?.result;
  if (response?.anyOf === undefined) return schema.ref(complete);
  const mark: Schema = { type: 'object', properties: { resultType: { const: 'input_required' } } };
  const questions = merge(schema.definitions, [schema.ref('InputRequiredResult'), mark]);
  return { anyOf: [questions, schema.ref(complete)] };
}
