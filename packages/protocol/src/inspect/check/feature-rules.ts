import { isObject } from '../../jsonrpc/message.ts';
import { given, holds } from './finding.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';
import type { Answer } from './wire.ts';

const MISSING = 'inspect-none://no/such/resource';
/** RFC 6570 expressions and the literals between them. */
const TEMPLATE = /^(?:[^{}"<>\\^`| ]|\{[+#./;?&]?[\w.%]+(?::\d+|\*)?(?:,[\w.%]+(?::\d+|\*)?)*\})*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

async function readMissing(scene: Scene): Promise<Answer> {
  scene.needs('resources');
  return scene.talk.ask('resources/read', { uri: MISSING });
}

/** The items of what was read. */
async function contents(scene: Scene): Promise<Record<string, unknown>[]> {
  const read = await scene.reads();
  const items = read.flatMap(({ answer: { result } }) =>
    Array.isArray(result?.contents) ? result.contents.filter(isObject) : [],
  );
  given(items.length > 0, 'no resource that was read has contents');
  return items;
}

export const resourceRules: Rules = {
  'resources/resource-has-uri-and-name': async (scene) => {
    const wrong = (await scene.items('resources/list')).find(
      ({ uri, name }) => typeof uri !== 'string' || typeof name !== 'string',
    );
    holds(wrong === undefined, `a resource is ${JSON.stringify(wrong)}`);
  },
  'resources/custom-uri-scheme-follows-rfc3986': async (scene) => {
    const resources = await scene.items('resources/list');
    given(resources.length > 0, 'the server lists no resources');
    const wrong = resources.find(({ uri }) => !/^[A-Za-z][A-Za-z0-9+.-]*:[!-~]+$/.test(String(uri)));
    holds(wrong === undefined, `${JSON.stringify(wrong?.uri)} is no URI`);
  },
  'resources/template-uri-is-rfc6570': async (scene) => {
    const templates = await scene.items('resources/templates/list');
    given(templates.length > 0, 'the server lists no templates');
    const wrong = templates.find(({ uriTemplate }) => !TEMPLATE.test(String(uriTemplate)));
    holds(wrong === undefined, `${JSON.stringify(wrong?.uriTemplate)} is no URI template`);
  },
  'resources/read-returns-contents': async (scene) => {
    for (const { uri, answer } of await scene.reads()) {
      if (answer.result?.resultType === 'input_required') continue;
      const isArray = Array.isArray(answer.result?.contents);
      holds(isArray, `reading ${uri} was answered with ${describe(answer)}`);
    }
  },
  'resources/contents-item-has-uri': async (scene) => {
    const wrong = (await contents(scene)).find(({ uri }) => typeof uri !== 'string');
    holds(wrong === undefined, 'an item of contents has no uri');
  },
  'resources/binary-data-properly-encoded': async (scene) => {
    const blobs = (await contents(scene)).filter(({ blob }) => blob !== undefined);
    given(blobs.length > 0, 'no resource that was read has binary contents');
    const wrong = blobs.find(({ blob }) => typeof blob !== 'string' || !BASE64.test(blob));
    holds(wrong === undefined, `the blob of ${String(wrong?.uri)} is no base64`);
  },
  'resources/not-found-error-32002': async (scene) => {
    const { error, result } = await readMissing(scene);
    holds(
      error?.code === -32002,
      `a resource that does not exist was answered with ${describe({ error, result })}`,
    );
  },
  'resources/not-found-error-32602': async (scene) => {
    const { error, result } = await readMissing(scene);
    holds(
      error?.code === -32602,
      `a resource that does not exist was answered with ${describe({ error, result })}`,
    );
  },
  'resources/no-empty-contents-for-missing-resource': async (scene) => {
    const { result } = await readMissing(scene);
    holds(result === undefined, 'a resource that does not exist was answered with a result');
  },
  'resources/subscribe-returns-empty-result': async (scene) => {
    const { subscribe } = scene.needs('resources');
    given(subscribe === true, 'the server has no subscriptions');
    const [resource] = await scene.items('resources/list');
    given(resource !== undefined, 'the server lists no resources');
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      const { error, result } = await scene.talk.ask(method, { uri: resource.uri });
      holds(result !== undefined, `${method} was answered with ${describe({ error, result })}`);
      holds(
        Object.keys(result).every((key) => key === '_meta'),
        `the result of ${method} is not empty`,
      );
    }
  },
};

export const promptRules: Rules = {
  'prompts/get-returns-messages': async (scene) => {
    const plain = (await scene.items('prompts/list')).filter((prompt) => requiredOf(prompt).length === 0);
    given(plain.length > 0, 'every prompt needs arguments');
    const got: Answer[] = [];
    for (const { name } of plain.slice(0, 3)) got.push(await scene.talk.ask('prompts/get', { name }));
    const good = got.flatMap(({ result }) => (result === undefined ? [] : [result]));
    given(good.length > 0, 'no prompt could be had without arguments');
    const wrong = good.find(
      ({ messages, resultType }) => !Array.isArray(messages) && resultType !== 'input_required',
    );
    holds(wrong === undefined, 'the result of prompts/get has no array messages');
  },
  'prompts/invalid-name-error-32602': async (scene) => {
    scene.needs('prompts');
    const { error, result } = await scene.talk.ask('prompts/get', { name: 'inspect-no-such-prompt' });
    holds(error?.code === -32602, `an unknown prompt was answered with ${describe({ error, result })}`);
  },
  'prompts/missing-arguments-error-32602': async (scene) => {
    const prompt = (await scene.items('prompts/list')).find((one) => requiredOf(one).length > 0);
    given(prompt !== undefined, 'no prompt needs arguments');
    const { error, result } = await scene.talk.ask('prompts/get', { name: prompt.name, arguments: {} });
    const left = requiredOf(prompt).join(', ');
    holds(
      error?.code === -32602,
      `${String(prompt.name)} without ${left} was answered with ${describe({ error, result })}`,
    );
  },
};

function requiredOf({ arguments: taken }: Record<string, unknown>): string[] {
  const all = Array.isArray(taken) ? taken.filter(isObject) : [];
  return all.flatMap(({ name, required }) => (required === true ? [String(name)] : []));
}

const noPrompt = {
  ref: { type: 'ref/prompt', name: 'inspect-no-such-prompt' },
  argument: { name: 'any', value: '' },
};

export const utilityRules: Rules = {
  'completion/declares-capability': async (scene) => {
    if (scene.has('completions')) return;
    const { error, result } = await scene.talk.ask('completion/complete', noPrompt);
    holds(
      error?.code === -32601,
      `without the capability it was answered with ${describe({ error, result })}`,
    );
  },
  'completion/unsupported-completion-error-32601': async (scene) => {
    given(!scene.has('completions'), 'the server has completions');
    const { error, result } = await scene.talk.ask('completion/complete', noPrompt);
    holds(error?.code === -32601, `completion/complete was answered with ${describe({ error, result })}`);
  },
  'completion/invalid-prompt-name-error-32602': async (scene) => {
    scene.needs('completions');
    const { error, result } = await scene.talk.ask('completion/complete', noPrompt);
    holds(
      error?.code === -32602,
      `completion for an unknown prompt was answered with ${describe({ error, result })}`,
    );
  },
  'completion/request-returns-values': async (scene) => {
    const values = await completed(scene);
    holds(
      values.every((value) => typeof value === 'string'),
      'a completion has values that are no strings',
    );
  },
  'completion/at-most-100-values': async (scene) => {
    const { length } = await completed(scene);
    holds(length <= 100, `a completion has ${length} values`);
  },
  'logging/set-level-returns-empty-result': async (scene) => {
    scene.needs('logging');
    const { error, result } = await scene.talk.ask('logging/setLevel', { level: 'error' });
    holds(result !== undefined, `logging/setLevel was answered with ${describe({ error, result })}`);
    holds(
      Object.keys(result).every((key) => key === '_meta'),
      'the result of logging/setLevel is not empty',
    );
  },
  'logging/invalid-level-error-32602': async (scene) => {
    scene.needs('logging');
    const { error, result } = await scene.talk.ask('logging/setLevel', { level: 'shouting' });
    holds(error?.code === -32602, `an unknown level was answered with ${describe({ error, result })}`);
  },
};

/** What is suggested for the first argument of the first prompt that has any. */
async function completed(scene: Scene): Promise<unknown[]> {
  scene.needs('completions');
  const prompts = await scene.items('prompts/list');
  const taking = prompts.flatMap(({ name, arguments: taken }) =>
    Array.isArray(taken) && isObject(taken[0]) ? [{ name, argument: taken[0].name }] : [],
  );
  const [first] = taking;
  given(first !== undefined, 'no prompt takes arguments');
  const { error, result } = await scene.talk.ask('completion/complete', {
    ref: { type: 'ref/prompt', name: first.name },
    argument: { name: first.argument, value: '' },
  });
  const values = isObject(result?.completion) ? result.completion.values : undefined;
  holds(
    Array.isArray(values),
    `completion for ${String(first.name)} was answered with ${describe({ error, result })}`,
  );
  return values;
}
