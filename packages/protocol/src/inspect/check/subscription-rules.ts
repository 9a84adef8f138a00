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
  readonly told: readonly Params[];
  readonly acknowledged: Params | undefined;
}

const listened = new WeakMap<Scene, Promise<Listened>>();

/** A stream that was listened to until it was acknowledged, the same for every rule. */
function listen(scene: Scene): Promise<Listened> {
  const known = listened.get(scene);
  if (known !== undefined) return known;
  const listening = begin(scene);
  listened.set(scene, listening);
  return listening;
}

async function begin(scene: Scene): Promise<Listened> {
  const told = Object.entries(lists).filter(([name]) => {
    const capability = scene.capabilities[name];
    return isObject(capability) && capability.listChanged === true;
  });
  const { resources } = scene.capabilities;
  const subscribes = isObject(resources) && resources.subscribe === true;
  const [first] = subscribes ? (await scene.list('resources/list')).items : [];
  const wanted: Params = {
    ...Object.fromEntries(told.map(([, field]) => [field, true])),
    ...(first !== undefined && { resourceSubscriptions: [first.uri] }),
  };
  given(Object.keys(wanted).length > 0, 'the server tells of no changes');
  const talk = await scene.other();
  const heard = await talk.listen('subscriptions/listen', { notifications: wanted }, ACKNOWLEDGED);
  const messages = heard.told.filter(({ method }) => method !== undefined);
  const found = messages.find(({ method }) => method === ACKNOWLEDGED)?.params;
  return { id: heard.id, wanted, told: messages, acknowledged: isObject(found) ? found : undefined };
}

function subscriptionIdOf({ params }: Params): unknown {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
}

export const subscriptionRules: Rules = {
  'subscriptions/acknowledged-is-first-subscription-message': async (scene) => {
    const { told } = await listen(scene);
    const [first] = told;
    holds(first?.method === ACKNOWLEDGED, `the first message was ${JSON.stringify(first) ?? 'none'}`);
  },
  'subscriptions/subscription-id-is-listen-request-id': async (scene) => {
    const { id, told } = await listen(scene);
    const said = subscriptionIdOf(told.find(({ method }) => method === ACKNOWLEDGED) ?? {});
    holds(
      said === id,
      `the request had the id ${JSON.stringify(id)}, the subscription ${JSON.stringify(said)}`,
    );
  },
  'subscriptions/acknowledgment-lists-honored-subset': async (scene) => {
    const { wanted, acknowledged } = await listen(scene);
    const agreed = acknowledged?.notifications;
    holds(isObject(agreed), 'the acknowledgement has no notifications');
    const more = Object.keys(agreed).find((field) => !Object.hasOwn(wanted, field));
    holds(more === undefined, `the acknowledgement has ${more}, which was not asked for`);
  },
  'subscriptions/only-requested-notification-types-sent': async (scene) => {
    const { wanted, told } = await listen(scene);
    const unasked = Object.entries(lists).filter(([, field]) => wanted[field] !== true);
    const methods = unasked.map(([name]) => `notifications/${name}/list_changed`);
    const wrong = told.find(({ method }) => methods.includes(String(method)));
    holds(wrong === undefined, `it sent ${String(wrong?.method)}, which was not asked for`);
  },
  'subscriptions/listen-notifications-carry-subscription-id': async (scene) => {
    const { told } = await listen(scene);
    const wrong = told.find((message) => subscriptionIdOf(message) === undefined);
    holds(wrong === undefined, `${String(wrong?.method)} has no subscription id`);
  },
};
