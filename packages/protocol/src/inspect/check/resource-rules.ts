import { isObject } from '../../jsonrpc/message.ts';
import { given, holds } from './finding.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';
import type { Answer } from './wire.ts';

const MISSING = 'inspect-none://no/such/resource';
/** RFC 6570 expressions and the literals between them. */
const TEMPLATE = /^(?:[^{}"<>\\^`| ]|\{[+#/;?&]?[\w.%]+(?::\d+|\*)?(?:,[\w.%]+(?::\d+|\*)?)*\})*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

async function readMissing(scene: Scene): Promise<Answer> {
  scene.needs('resources');
  return scene.talk.ask('resources/read', { uri: MISSING });
}

/** Returns the contents of the resources that were read. */
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
    holds(wrong === undefined, `${JSON.stringify(wrong?.uri)} is not a URI`);
  },
  'resources/template-uri-is-rfc6570': async (scene) => {
    const templates = await scene.items('resources/templates/list');
    given(templates.length > 0, 'the server lists no templates');
    const wrong = templates.find(({ uriTemplate }) => !TEMPLATE.test(String(uriTemplate)));
    holds(wrong === undefined, `${JSON.stringify(wrong?.uriTemplate)} is not a URI template`);
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
    holds(wrong === undefined, `the blob of ${String(wrong?.uri)} is not base64`);
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
