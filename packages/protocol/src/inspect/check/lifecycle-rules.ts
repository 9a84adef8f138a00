import { isObject } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../protocol/meta.ts';
import { given, holds } from './finding.ts';
import { greetingParams } from './greeting.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';
import type { Answer } from './wire.ts';

/** A revision that does not exist. */
const UNKNOWN_REVISION = '1999-12-31';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The rules for the handshake. */
export const lifecycleRules: Rules = {
  'lifecycle/initialize-result-has-protocol-version': ({ greeting }) => {
    holds(typeof greeting.result?.protocolVersion === 'string', 'there is no protocolVersion');
  },
  'lifecycle/initialize-result-has-capabilities': ({ greeting }) => {
    holds(isObject(greeting.result?.capabilities), 'there are no capabilities');
  },
  'lifecycle/initialize-result-has-server-info': ({ greeting }) => {
    holds(isObject(greeting.result?.serverInfo), 'there is no serverInfo');
  },
  'lifecycle/server-info-has-name-and-version': ({ greeting }) => {
    const { serverInfo } = greeting.result ?? {};
    const complete =
      isObject(serverInfo) && typeof serverInfo.name === 'string' && typeof serverInfo.version === 'string';
    holds(complete, `serverInfo is ${JSON.stringify(serverInfo)}`);
  },
  'lifecycle/version-is-a-date-string': ({ greeting }) => {
    const { protocolVersion } = greeting.result ?? {};
    holds(DATE.test(String(protocolVersion)), `protocolVersion is ${JSON.stringify(protocolVersion)}`);
  },
  'lifecycle/server-echoes-supported-version': async (scene) => {
    const { heard } = await scene.other();
    const [version] = heard.flatMap(({ result }) => (isObject(result) ? [result.protocolVersion] : []));
    holds(version === scene.revision, `it answered with ${JSON.stringify(version)}`);
  },
  'lifecycle/server-offers-other-supported-version': async (scene) => {
    const talk = await scene.another();
    const { error, result } = await talk.ask('initialize', greetingParams(UNKNOWN_REVISION));
    if (error?.code === -32602 && isObject(error.data) && Array.isArray(error.data.supported)) return;
    const { protocolVersion } = result ?? {};
    holds(result !== undefined, `${UNKNOWN_REVISION} was answered with ${describe({ error, result })}`);
    const offered = DATE.test(String(protocolVersion)) && protocolVersion !== UNKNOWN_REVISION;
    holds(offered, `${UNKNOWN_REVISION} was answered with ${JSON.stringify(protocolVersion)}`);
  },
  'ping/ping-allowed-before-initialization-completes': async (scene) => {
    const talk = await scene.uninitialized();
    const { error, result } = await talk.ask('ping');
    holds(result !== undefined, `ping before initialized was answered with ${describe({ error, result })}`);
  },
  'lifecycle/server-waits-for-initialized': async (scene) => {
    const talk = await scene.uninitialized();
    await talk.fence();
    const early = talk.heard.find(
      ({ id, method }) => id !== undefined && method !== undefined && method !== 'ping',
    );
    holds(early === undefined, `it sent ${String(early?.method)} before initialized`);
  },
  'lifecycle/unknown-capabilities-tolerated': async (scene) => {
    const talk = await scene.another();
    const capabilities = { experimental: { 'example.com/none': {} }, 'example.com/unheard': { deep: true } };
    const { error, result } = await talk.ask('initialize', {
      ...greetingParams(talk.revision),
      capabilities,
    });
    holds(result !== undefined, `unknown capabilities were answered with ${describe({ error, result })}`);
  },
};

/** The rules for versions and capabilities in stateless requests. */
export const versioningRules: Rules = {
  'discover/server-implements-discover': ({ greeting }) => {
    holds(greeting.result !== undefined, `server/discover was answered with ${describe(greeting)}`);
  },
  'discover/discover-result-has-supported-versions': ({ greeting, revision }) => {
    const { supportedVersions } = greeting.result ?? {};
    const lists = Array.isArray(supportedVersions) && supportedVersions.includes(revision);
    holds(lists, `supportedVersions is ${JSON.stringify(supportedVersions)}`);
  },
  'discover/discover-result-has-capabilities': ({ greeting }) => {
    holds(isObject(greeting.result?.capabilities), 'there are no capabilities');
  },
  'versioning/version-is-a-date-string': ({ greeting }) => {
    const { supportedVersions } = greeting.result ?? {};
    const dates =
      Array.isArray(supportedVersions) && supportedVersions.every((one) => DATE.test(String(one)));
    holds(dates, `supportedVersions is ${JSON.stringify(supportedVersions)}`);
  },
  'versioning/unsupported-version-answered-32022': async (scene) => {
    const { error, result } = await unheardVersion(scene);
    holds(error?.code === -32022, `${UNKNOWN_REVISION} was answered with ${describe({ error, result })}`);
  },
  'versioning/unsupported-version-error-lists-supported': async (scene) => {
    const { error } = await unheardVersion(scene);
    const lists = isObject(error?.data) && Array.isArray(error.data.supported);
    holds(lists, `the data of the error is ${JSON.stringify(error?.data)}`);
  },
  'versioning/unsupported-version-error-names-requested': async (scene) => {
    const { error } = await unheardVersion(scene);
    const names = isObject(error?.data) && error.data.requested === UNKNOWN_REVISION;
    holds(names, `the data of the error is ${JSON.stringify(error?.data)}`);
  },
  'versioning/unknown-capabilities-tolerated': async ({ talk }) => {
    const meta = { [metaKeys.clientCapabilities]: { 'example.com/unheard': { deep: true } } };
    const { error, result } = await talk.fence({ meta });
    holds(result !== undefined, `unknown capabilities were answered with ${describe({ error, result })}`);
  },
  'versioning/extension-identifiers-have-prefix': ({ capabilities }) => {
    given(isObject(capabilities.extensions), 'the server has no extensions');
    const bare = Object.keys(capabilities.extensions).find((name) => !/^[^/]+\/./.test(name));
    holds(bare === undefined, `the extension ${bare} has no prefix`);
  },
  'meta/missing-required-meta-answered-32602': async ({ talk }) => {
    const { error, result } = await talk.fence({ meta: { [metaKeys.clientCapabilities]: undefined } });
    holds(
      error?.code === -32602,
      `a request without clientCapabilities was answered with ${describe({ error, result })}`,
    );
  },
  'stateless/no-reliance-on-prior-requests': async (scene) => {
    const method = (['tools', 'resources', 'prompts'] as const).find((one) => scene.has(one));
    given(method !== undefined, 'the server has neither tools nor resources nor prompts');
    const talk = await scene.another();
    const { error, result } = await talk.ask(`${method}/list`);
    holds(
      result !== undefined,
      `${method}/list as the first request was answered with ${describe({ error, result })}`,
    );
  },
  'logging/invalid-log-level-in-meta-error-32602': async (scene) => {
    scene.needs('logging');
    const { error, result } = await scene.talk.fence({ meta: { [metaKeys.logLevel]: 'shouting' } });
    holds(error?.code === -32602, `an unknown level was answered with ${describe({ error, result })}`);
  },
};

export function unheardVersion({ talk }: Scene): Promise<Answer> {
  const meta = { [metaKeys.protocolVersion]: UNKNOWN_REVISION };
  return talk.fence({ meta, fields: { 'mcp-protocol-version': UNKNOWN_REVISION } });
}
