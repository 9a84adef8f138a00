import { holds } from './finding.ts';
import { greetingParams } from './greeting.ts';
import { refusalIn } from './http-body.ts';
import type { HttpCall, HttpWire } from './http-wire.ts';
import { unheardVersion } from './lifecycle-rules.ts';
import { describe } from './listing.ts';
import type { Rule, Rules } from './rules.ts';
import type { Scene } from './scene.ts';
import type { HttpReply } from './wire.ts';

const FOREIGN = 'http://inspect.invalid';
const EVENTS = 'text/event-stream';

/** Sends one HTTP request outside of the talk, by default with its headers. */
export function callOn({ http, patience }: Scene, call: Partial<HttpCall> = {}): Promise<HttpReply> {
  return http.call({ method: 'POST', fields: {}, patience, ...call });
}

export function wiresOf({ talks }: Scene): HttpWire[] {
  return talks.map(({ wire }) => wire as HttpWire); // HTTP rules run only over HTTP
}

/** Sends the first request with the Origin of another site. */
async function foreignGreeting(scene: Scene): Promise<HttpReply> {
  const talk = await scene.another();
  const fields = { origin: FOREIGN };
  const { http } =
    talk.era === 'stateless'
      ? await talk.fence({ fields })
      : await talk.ask('initialize', greetingParams(talk.revision), { fields });
  holds(http !== undefined, 'the server did not respond');
  return http;
}

/** Returns the replies that are streams; a listen stream has no end. */
function streamsOf(scene: Scene): HttpReply[] {
  return wiresOf(scene)
    .flatMap(({ replies }) => replies)
    .filter(({ type, asked }) => type === EVENTS && asked !== undefined && asked !== 'subscriptions/listen');
}

/** Checks that streams end soon after their response. */
const streamsEnd: Rule = (scene) => {
  const open = streamsOf(scene).find(({ ended }) => !ended);
  holds(open === undefined, `the stream of ${open?.asked} was still open a second after the response`);
};

/** Checks that streams contain the response to their request. */
const streamsAnswer: Rule = (scene) => {
  const empty = streamsOf(scene).find(({ body }) => !/"(?:result|error)"\s*:/.test(body));
  holds(empty === undefined, `the stream of ${empty?.asked} ended without a response`);
};

const notificationGets202: Rule = async ({ talk }) => {
  const reply = await talk.notify('notifications/cancelled', { requestId: 'inspect-none' });
  holds(reply?.status === 202, `a notification was answered with status ${reply?.status}`);
  holds(reply.body === '', 'the response to a notification has a body');
};

/** The rules for HTTP in both eras. */
export const httpRules: Rules = {
  'transport-http/origin-validated': async (scene) => {
    const { status } = await foreignGreeting(scene);
    holds(status >= 400, `a request from ${FOREIGN} was answered with status ${status}`);
  },
  'transport-http/invalid-origin-answered-403': async (scene) => {
    const { status } = await foreignGreeting(scene);
    holds(status === 403, `a request from ${FOREIGN} was answered with status ${status}`);
  },
  'transport-http/notification-or-response-post-gets-202': notificationGets202,
  'transport-http/notification-post-gets-202': notificationGets202,
  'transport-http/unacceptable-input-gets-error-status': async ({ talk }) => {
    const { http } = await talk.sendText('{"jsonrpc":"2.0","method":');
    holds((http?.status ?? 0) >= 400, `invalid JSON was answered with status ${http?.status}`);
  },
  'transport-http/serves-multiple-clients': async (scene) => {
    const other = await scene.other();
    const answers = await Promise.all([scene.talk.fence(), other.fence()]);
    for (const { result, error } of answers)
      holds(result !== undefined, `one of two clients was answered with ${describe({ error, result })}`);
  },
};

/** The rules for the replies to all earlier requests. */
export const replyRules: Rules = {
  'transport-http/request-post-gets-json-or-sse': (scene) => {
    const good = wiresOf(scene)
      .flatMap(({ replies }) => replies)
      .filter(({ status, asked }) => status < 300 && asked !== undefined);
    const wrong = good.find(({ type }) => type !== 'application/json' && type !== EVENTS);
    holds(wrong === undefined, `${wrong?.asked} was answered with ${wrong?.type ?? 'no content type'}`);
  },
  'transport-http/sse-stream-carries-the-response': streamsAnswer,
  'transport-http/post-stream-delivers-every-response': streamsAnswer,
  'transport-http/sse-stream-ends-after-response': streamsEnd,
  'transport-http/stream-ends-with-final-response': streamsEnd,
  'transport-http/post-stream-closed-after-response': streamsEnd,
  'transport-http/sse-response-has-x-accel-buffering-no': (scene) => {
    const wrong = streamsOf(scene).find((reply) => reply.header('x-accel-buffering') !== 'no');
    holds(wrong === undefined, `the stream of ${wrong?.asked} has no X-Accel-Buffering: no`);
  },
};

/** The rules for the headers of a server without sessions. */
export const headerRules: Rules = {
  'transport-http/missing-standard-header-rejected': (scene) =>
    isRefused(scene, 'without Mcp-Method', { 'mcp-method': undefined }),
  'transport-http/missing-version-header-rejected': (scene) =>
    isRefused(scene, 'without MCP-Protocol-Version', { 'mcp-protocol-version': undefined }),
  'transport-http/header-body-mismatch-rejected': (scene) =>
    isRefused(scene, 'with a wrong Mcp-Method', { 'mcp-method': 'tools/list' }),
  'transport-http/version-header-mismatch-rejected': (scene) =>
    isRefused(scene, 'with a wrong MCP-Protocol-Version', { 'mcp-protocol-version': '2025-11-25' }),
  'transport-http/header-validation-failure-status-400': async ({ talk }) => {
    const { http } = await talk.fence({ fields: { 'mcp-method': 'tools/list' } });
    holds(http?.status === 400, `a wrong Mcp-Method was answered with status ${http?.status}`);
  },
  'transport-http/header-validation-failure-body-32020': async ({ talk }) => {
    const { http } = await talk.fence({ fields: { 'mcp-method': 'tools/list' } });
    const { error, result } = refusalIn(http);
    holds(error?.code === -32020, `a wrong Mcp-Method was answered with ${describe({ error, result })}`);
  },
  'transport-http/header-names-case-insensitive': async ({ talk }) => {
    const { error, result } = await talk.fence({
      fields: { 'mcp-method': undefined, 'MCP-METHOD': 'server/discover' },
    });
    holds(result !== undefined, `MCP-METHOD was answered with ${describe({ error, result })}`);
  },
  'transport-http/unknown-method-http-status-404': async ({ talk }) => {
    const { http } = await talk.ask('inspect/no-such-method');
    holds(http?.status === 404, `an unknown method was answered with status ${http?.status}`);
  },
  'transport-http/unknown-method-body-has-32601': async ({ talk }) => {
    const { http } = await talk.ask('inspect/no-such-method');
    const { error, result } = refusalIn(http);
    holds(error?.code === -32601, `an unknown method was answered with ${describe({ error, result })}`);
  },
  'transport-http/unsupported-version-http-status-400': async (scene) => {
    const { http } = await unheardVersion(scene);
    holds(http?.status === 400, `an unknown version got status ${http?.status}`);
  },
  'transport-http/missing-required-meta-http-status-400': async ({ talk }) => {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': undefined };
    const { http } = await talk.fence({ meta });
    holds(http?.status === 400, `a request without clientCapabilities got status ${http?.status}`);
  },
};

async function isRefused(
  { talk }: Scene,
  how: string,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { result, http } = await talk.fence({ fields });
  holds(result === undefined && (http?.status ?? 0) >= 400, `a request ${how} got status ${http?.status}`);
}
