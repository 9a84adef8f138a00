import { type Id, isObject, type Params } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../protocol/meta.ts';
import { given, holds } from './finding.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const lists = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' };

interface Listened {
  readonly id: Id;
  readonly wanted: Params;
  readonly received: readonly Params[];
  readonly acknowledged: Params | undefined;
}

const listened = new WeakMap<Scene, Promise<Listened>>();

/** Returns the stream of the scene, shared by all rules; opens it and reads it up to the acknowledgement. */
function listen(scene: Scene): Promise<Listened> {
  const known = listened.get(scene);
  if (known !== undefined) return known;
  const listening = begin(scene);
  listened.set(scene, listening);
  return listening;
}

async function begin(scene: Scene): Promise<Listened> {
  const declared = Object.entries(lists).filter(([name]) => {
    const capability = scene.capabilities[name];
    return isObject(capability) && capability.listChanged === true;
  });
  const { resources } = scene.capabilities;
  const subscribes = isObject(resources) && resources.subscribe === true;
  const [first] = subscribes ? (await scene.list('resources/list')).items : [];
  const wanted: Params = {
    ...Object.fromEntries(declared.map(([, field]) => [field, true])),
    ...(first !== undefined && { resourceSubscriptions: [first.uri] }),
  };
  given(Object.keys(wanted).length > 0, 'the server reports no changes');
  const talk = await scene.other();
  const heard = await talk.listen('subscriptions/listen', { notifications: wanted }, ACKNOWLEDGED);
  const messages = heard.received.filter(({ method }) => method !== undefined);
  const found = messages.find(({ method }) => method === ACKNOWLEDGED)?.params;
  return { id: heard.id, wanted, received: messages, acknowledged: isObject(found) ? found : undefined };
}

function subscriptionIdOf({ params }: Params): unknown {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
}

export const subscriptionRules: Rules = {
  'subscriptions/acknowledged-is-first-subscription-message': async (scene) => {
    const { received } = await listen(scene);
    const [first] = received;
    holds(first?.method === ACKNOWLEDGED, `the first message is ${JSON.stringify(first) ?? 'none'}`);
  },
  'subscriptions/subscription-id-is-listen-request-id': async (scene) => {
    const { id, received } = await listen(scene);
    const subscriptionId = subscriptionIdOf(received.find(({ method }) => method === ACKNOWLEDGED) ?? {});
    holds(
      subscriptionId === id,
      `the request has the id ${JSON.stringify(id)}, the subscription ${JSON.stringify(subscriptionId)}`,
    );
  },
  'subscriptions/acknowledgment-lists-honored-subset': async (scene) => {
    const { wanted, acknowledged } = await listen(scene);
    const agreed = acknowledged?.notifications;
    holds(isObject(agreed), 'the acknowledgement has no notifications');
    const more = Object.keys(agreed).find((field) => !Object.hasOwn(wanted, field));
    holds(more === undefined, `the acknowledgement has ${more}, which was not requested`);
  },
  'subscriptions/only-requested-notification-types-sent': async (scene) => {
    const { wanted, received } = await listen(scene);
    const unasked = Object.entries(lists).filter(([, field]) => wanted[field] !== true);
    const methods = unasked.map(([name]) => `notifications/${name}/list_changed`);
    const wrong = received.find(({ method }) => methods.includes(String(method)));
    holds(wrong === undefined, `it sent ${String(wrong?.method)}, which was not requested`);
  },
  'subscriptions/listen-notifications-carry-subscription-id': async (scene) => {
    const { received } = await listen(scene);
    const wrong = received.find((message) => subscriptionIdOf(message) === undefined);
    holds(wrong === undefined, `${String(wrong?.method)} has no subscription id`);
  },
};
