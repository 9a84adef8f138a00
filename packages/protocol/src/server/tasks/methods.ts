import { RpcError } from '../../jsonrpc/errors.ts';
import { isObject, type JsonText } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import { projectToolResult } from '../../protocol/project.ts';
import type { TaskRecord } from '../../protocol/tasks/store.ts';
import {
  declaresTaskExtension,
  missingTaskExtension,
  related,
  resultOf,
  toDetailedTask,
  toTask,
} from '../../protocol/tasks/wire.ts';
import type * as t from '../../protocol/types.ts';
import { encodeResult } from '../encode.ts';
import type { Call, Registry } from '../registry.ts';
import { deliverQuestions } from './deliver-questions.ts';
import { ownerOf } from './owner.ts';

/** Serves one of the `tasks/` methods in the form of the call's era. */
export async function serveTaskMethod<S>(server: Registry<S>, call: Call): Promise<JsonText> {
  const { facts, method } = call;
  const stateless = facts.session === undefined;
  if (stateless && !declaresTaskExtension(facts.capabilities)) throw missingTaskExtension();
  switch (method) {
    case 'tasks/get':
      return encodeResult(
        server,
        call,
        stateless ? toDetailedTask(await find(server, call)) : toTask(await find(server, call)),
      );
    case 'tasks/update':
      return update(server, call);
    case 'tasks/cancel':
      return cancel(server, call);
    case 'tasks/list':
      return list(server, call);
    default:
      return awaitResult(server, call);
  }
}

async function find<S>(server: Registry<S>, { facts, params }: Call): Promise<TaskRecord> {
  const tasks = await server.tasks();
  return tasks.find(ownerOf(facts), params.taskId);
}

async function update<S>(server: Registry<S>, call: Call): Promise<JsonText> {
  const { inputResponses } = call.params;
  if (!isObject(inputResponses))
    throw rpcError('InvalidParams', 'inputResponses must be an object with a response for each key');
  const tasks = await server.tasks();
  const { taskId } = await find(server, call);
  tasks.running(taskId)?.answer(inputResponses);
  return encodeResult(server, call, {});
}

async function cancel<S>(server: Registry<S>, call: Call): Promise<JsonText> {
  const { facts, params } = call;
  const tasks = await server.tasks();
  const cancelled = await tasks.cancel(ownerOf(facts), params.taskId);
  if (facts.session === undefined) return encodeResult(server, call, {});
  const record = await find(server, call);
  if (!cancelled)
    throw rpcError('InvalidParams', `the task is ${toTask(record).status} and cannot be cancelled`);
  return encodeResult(server, call, toTask(record));
}

async function list<S>(server: Registry<S>, call: Call): Promise<JsonText> {
  const { facts, params } = call;
  const tasks = await server.tasks();
  const { records, nextCursor } = await tasks.page(ownerOf(facts), params.cursor, server.pageSize);
  return encodeResult(server, call, {
    tasks: records.map(toTask),
    ...(nextCursor !== undefined && { nextCursor }),
  });
}

/** Returns the result of the task once it has ended, and sends its questions to the client in the meantime. */
async function awaitResult<S>(server: Registry<S>, call: Call): Promise<JsonText> {
  const tasks = await server.tasks();
  const found = await find(server, call);
  let isNew = true;
  const record = await tasks.ended(found, call.serving.signal, () => {
    const task = tasks.running(found.taskId);
    if (task !== undefined) deliverQuestions(call, task, isNew);
    isNew = false;
  });
  tasks.reportRead(record);
  const { taskId, result, error } = record;
  if (error !== undefined) throw new RpcError(error.code, error.message, { data: error.data });
  if (result === undefined) throw rpcError('InternalError', 'the task was cancelled, so it has no result');
  const outcome = resultOf(result) as unknown as t.CallToolResult; // only tools run as tasks here
  return encodeResult(server, call, related(projectToolResult(call.facts.revision, outcome), taskId));
}
