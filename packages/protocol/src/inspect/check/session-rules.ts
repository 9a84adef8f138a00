import { given, holds } from './finding.ts';
import { callOn, wiresOf } from './http-rules.ts';
import { HttpWire } from './http-wire.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';
import type { Talk } from './talk.ts';

const ping = JSON.stringify({ jsonrpc: '2.0', id: 'inspect-ping', method: 'ping' });

/** Opens another connection with its own session. */
async function inSession(scene: Scene): Promise<{ talk: Talk; wire: HttpWire; session: string }> {
  const talk = await scene.greeted();
  const { wire } = talk;
  given(wire instanceof HttpWire && wire.session !== undefined, 'the server has no sessions');
  return { talk, wire, session: wire.session };
}

const posting = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

/** The rules for sessions over HTTP. */
export const sessionRules: Rules = {
  'transport-http/session-id-is-visible-ascii': async (scene) => {
    const { session } = await inSession(scene);
    holds(/^[\x21-\x7e]+$/.test(session), `the session id is ${JSON.stringify(session)}`);
  },
  'transport-http/session-id-globally-unique': async (scene) => {
    await inSession(scene);
    const ids = wiresOf(scene).flatMap(({ session }) => (session === undefined ? [] : [session]));
    holds(new Set(ids).size === ids.length, 'two sessions have the same id');
  },
  'transport-http/missing-session-id-gets-400': async (scene) => {
    await inSession(scene);
    const fields = { ...posting, ...scene.http.fieldsOf('ping'), 'mcp-session-id': undefined };
    const { status } = await callOn(scene, { fields, body: ping });
    given(status >= 300, 'the server serves requests without a session too');
    holds(status === 400, `a request without a session id got status ${status}`);
  },
  'transport-http/terminated-session-gets-404': async (scene) => {
    const { wire, session } = await inSession(scene);
    const fields = { ...posting, ...wire.fieldsOf('ping') };
    const reply = await wire.end();
    given(
      (reply?.status ?? 405) < 300,
      `the server does not end sessions by DELETE (status ${reply?.status})`,
    );
    const { status } = await callOn(scene, { fields: { ...fields, 'mcp-session-id': session }, body: ping });
    holds(status === 404, `a request in an ended session got status ${status}`);
  },
  'transport-http/unsupported-version-header-gets-400': async (scene) => {
    const fields = { ...posting, ...scene.http.fieldsOf('ping'), 'mcp-protocol-version': '1999-12-31' };
    const { status } = await callOn(scene, { fields, body: ping });
    holds(status === 400, `an unknown version got status ${status}`);
  },
  'transport-http/get-answered-with-sse-or-405': async (scene) => {
    const { wire } = await greetedWire(scene);
    const fields = { ...wire.fieldsOf(undefined), accept: 'text/event-stream' };
    const { status, type } = await wire.peek(fields);
    const stream = status === 200 && type === 'text/event-stream';
    holds(
      stream || status === 405,
      `GET was answered with status ${status} and ${type ?? 'no content type'}`,
    );
  },
};

async function greetedWire(scene: Scene): Promise<{ wire: HttpWire }> {
  const { wire } = await scene.greeted();
  given(wire instanceof HttpWire, 'the transport is not HTTP');
  return { wire };
}
