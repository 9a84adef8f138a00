import { isId, isObject, type Params } from '../../jsonrpc/message.ts';
import { given, holds } from './finding.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';

/** Returns a message of the server as one line. */
export function renderMessage(message: unknown): string {
  const text = JSON.stringify(message) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function heardIn({ talks }: Scene): Params[] {
  return talks.flatMap(({ heard }) => heard);
}

function responsesIn(scene: Scene): Params[] {
  const responses = heardIn(scene).filter(({ method }) => method === undefined);
  given(responses.length > 0, 'the server has sent no response');
  return responses;
}

function errorsIn(scene: Scene): Params[] {
  const errors = responsesIn(scene).flatMap(({ error }) => (isObject(error) ? [error] : []));
  given(errors.length > 0, 'the server has sent no error');
  return errors;
}

function emitsNoCode(scene: Scene, isWrong: (code: number) => boolean): void {
  const wrong = errorsIn(scene).find(({ code }) => typeof code === 'number' && isWrong(code));
  holds(wrong === undefined, `it sent ${describe({ error: wrong, result: undefined })}`);
}

/** Returns the requests of the server. */
function requestsIn(scene: Scene): Params[] {
  return heardIn(scene).filter(({ method, id }) => typeof method === 'string' && id !== undefined);
}

function sendsNoRequest(scene: Scene): void {
  const [request] = requestsIn(scene);
  holds(request === undefined, `it sent the request ${renderMessage(request)}`);
}

/** The rules for all messages. They run last. */
export const transcriptRules: Rules = {
  'jsonrpc/jsonrpc-member-is-2-0': (scene) => {
    const wrong = heardIn(scene).find(({ jsonrpc }) => jsonrpc !== '2.0');
    holds(wrong === undefined, `it sent ${renderMessage(wrong)}`);
  },
  'jsonrpc/result-response-echoes-request-id': (scene) => {
    for (const { asked, heard } of scene.talks) {
      const stray = heard.find(
        ({ id, method, result }) =>
          method === undefined && result !== undefined && !(isId(id) && asked.has(id)),
      );
      const known = stray === undefined || String(stray.id).startsWith('batch-');
      holds(known, `it sent a result with an id of no request: ${renderMessage(stray)}`);
    }
  },
  'jsonrpc/result-response-has-result-member': (scene) => {
    const wrong = responsesIn(scene).find(({ result, error }) => error === undefined && !isObject(result));
    holds(wrong === undefined, `it sent ${renderMessage(wrong)}`);
  },
  'jsonrpc/response-not-both-result-and-error': (scene) => {
    const wrong = responsesIn(scene).find(({ result, error }) => result !== undefined && error !== undefined);
    holds(wrong === undefined, `it sent ${renderMessage(wrong)}`);
  },
  'jsonrpc/error-has-code-and-message': (scene) => {
    const wrong = errorsIn(scene).find(
      ({ code, message }) => code === undefined || typeof message !== 'string',
    );
    holds(wrong === undefined, `it sent the error ${renderMessage(wrong)}`);
  },
  'jsonrpc/error-code-is-integer': (scene) => {
    const wrong = errorsIn(scene).find(({ code }) => !Number.isInteger(code));
    holds(wrong === undefined, `it sent the error ${renderMessage(wrong)}`);
  },
  'jsonrpc/no-batch-arrays-sent': ({ talks }) => {
    const wrong = talks.flatMap(({ texts }) => texts).find((text) => text.trimStart().startsWith('['));
    holds(wrong === undefined, `it sent the array ${wrong?.slice(0, 100)}`);
  },
  'jsonrpc/request-id-not-null': (scene) => {
    const wrong = requestsIn(scene).find(({ id }) => id === null);
    holds(wrong === undefined, `it sent ${renderMessage(wrong)}`);
  },
  'jsonrpc/result-has-result-type': (scene) => {
    const wrong = responsesIn(scene).find(
      ({ result }) => isObject(result) && typeof result.resultType !== 'string',
    );
    holds(wrong === undefined, `a result has no resultType: ${renderMessage(wrong)}`);
  },
  'jsonrpc/retired-code-32002-not-emitted': (scene) => emitsNoCode(scene, (code) => code === -32002),
  'jsonrpc/retired-code-32042-not-emitted': (scene) => emitsNoCode(scene, (code) => code === -32042),
  'jsonrpc/undefined-reserved-codes-not-emitted': (scene) =>
    emitsNoCode(scene, (code) => code <= -32023 && code >= -32099),
  'base/server-initiates-no-requests': sendsNoRequest,
  'transport-stdio/server-writes-no-requests': sendsNoRequest,
  'transport-http/no-requests-on-response-stream': sendsNoRequest,
  'lifecycle/only-negotiated-capabilities-used': (scene) => {
    const wrong = requestsIn(scene).find(({ method }) => method !== 'ping');
    holds(wrong === undefined, `it sent ${renderMessage(wrong)}, and no capability was declared`);
  },
  'meta/result-meta-has-server-info': (scene) => {
    const bare = responsesIn(scene).find(
      ({ result }) =>
        isObject(result) &&
        !(isObject(result._meta) && isObject(result._meta['io.modelcontextprotocol/serverInfo'])),
    );
    holds(bare === undefined, `a result has no serverInfo: ${renderMessage(bare)}`);
  },
  'logging/declares-capability': (scene) => {
    const logs = heardIn(scene).some(({ method }) => method === 'notifications/message');
    holds(scene.has('logging') || !logs, 'it sent a log message without the capability');
    given(scene.has('logging'), 'the server has no logging');
  },
  'logging/no-log-without-requested-level': (scene) => {
    const log = heardIn(scene).find(({ method }) => method === 'notifications/message');
    holds(log === undefined, `it sent ${renderMessage(log)}, and no request had a log level`);
  },
  'base/schema-is-source-of-truth': async ({ revision, talks }) => {
    const [schemas, { describeProblem }] = await Promise.all([
      import('../../protocol/schemas/index.ts'),
      import('../../client/problem.ts'),
    ]);
    for (const { heard, asked } of talks) {
      for (const { method, id, result, params } of heard) {
        const request = isId(id) ? asked.get(id)?.method : undefined;
        const [what, parsed] =
          typeof method === 'string'
            ? [method, schemas.notification(revision, method)?.safeParse(params)]
            : [
                request,
                request && result !== undefined && schemas.result(revision, request)?.safeParse(result),
              ];
        if (!parsed || parsed.success) continue;
        holds(false, `the message for ${what} does not match the schema: ${describeProblem(parsed.error)}`);
      }
    }
  },
};
