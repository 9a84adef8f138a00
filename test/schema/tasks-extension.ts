import type { Official, Schema } from './official.ts';

type Message = Record<string, unknown>;

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };

/** Returns the schema of an object with exactly these members; those with a question mark are optional. */
function exactly(members: Record<string, Schema>): Schema {
  const required = Object.keys(members).filter((name) => !name.endsWith('?'));
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name.replace('?', ''), member]),
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

const state = (status: string): Record<string, Schema> => ({
  taskId: text,
  status: { const: status },
  'statusMessage?': text,
  createdAt: { type: 'string', format: 'date-time' },
  lastUpdatedAt: { type: 'string', format: 'date-time' },
  ttlMs: { type: ['integer', 'null'], minimum: 1 },
  'pollIntervalMs?': { type: 'integer', minimum: 1 },
});

/** Returns the schema of a task with the members of its status only. */
function detailed(schema: Official, around: Record<string, Schema>): Schema {
  const failure = exactly({ code: integer, message: text, 'data?': {} });
  return {
    anyOf: [
      exactly({ ...around, ...state('working') }),
      exactly({ ...around, ...state('input_required'), inputRequests: schema.ref('InputRequests') }),
      exactly({ ...around, ...state('completed'), result: schema.ref('CallToolResult') }),
      exactly({ ...around, ...state('failed'), error: failure }),
      exactly({ ...around, ...state('cancelled') }),
    ],
  };
}

const answered = (type: string): Record<string, Schema> => ({
  resultType: { const: type },
  '_meta?': { type: 'object' },
});

const envelope = (member: string, form: Schema): Schema => ({
  type: 'object',
  properties: { [member]: form },
  required: [member],
});

/**
 * Returns the schema of a message of `io.modelcontextprotocol/tasks` without its JSON-RPC envelope, or undefined for
 * another message. It is written from the text of the extension, which the official schema of 2026-07-28 lacks.
 */
export function extensionForm(schema: Official, message: Message, method: string): Schema | undefined {
  if ('result' in message) return resultForm(schema, message.result as Message, method);
  const open: Record<string, Schema> = { _meta: schema.ref('RequestMetaObject'), taskId: text };
  switch (method) {
    case 'tasks/get':
    case 'tasks/cancel':
      return envelope('params', exactly(open));
    case 'tasks/update':
      return envelope('params', exactly({ ...open, inputResponses: schema.ref('InputResponses') }));
    case 'notifications/tasks':
      return envelope('params', detailed(schema, { _meta: schema.ref('NotificationMetaObject') }));
    default:
      return undefined;
  }
}

function resultForm(schema: Official, result: Message, method: string): Schema | undefined {
  switch (method) {
    case 'tools/call':
      if (result.resultType !== 'task') return undefined;
      return envelope('result', {
        anyOf: ['working', 'input_required', 'completed', 'failed', 'cancelled'].map((status) =>
          exactly({ ...answered('task'), ...state(status) }),
        ),
      });
    case 'tasks/get':
      return envelope('result', detailed(schema, answered('complete')));
    case 'tasks/update':
    case 'tasks/cancel':
      return envelope('result', exactly(answered('complete')));
    default:
      return undefined;
  }
}
