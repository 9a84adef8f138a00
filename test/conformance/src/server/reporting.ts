import { setTimeout as wait } from 'node:timers/promises';
import { type AnyTool, tool } from '@rootbound/protocol';
import { noArguments } from './content.ts';

/** Longer than the minimum interval of progress notifications, in milliseconds. */
const STEP_MS = 60;
/** The retry delay of a client whose connection was closed, in milliseconds. */
const RETRY_MS = 200;

/** Tools that send notifications while they work. */
export const reportingTools: readonly AnyTool[] = [
  tool({
    name: 'test_tool_with_logging',
    description: 'Logs three messages while it works.',
    input: noArguments,
    run: async (_args, { log, signal }) => {
      log('info', 'Tool execution started');
      await wait(STEP_MS, undefined, { signal });
      log('info', 'Tool processing data');
      await wait(STEP_MS, undefined, { signal });
      log('info', 'Tool execution completed');
      return 'Logged three messages.';
    },
  }),
  tool({
    name: 'test_tool_with_progress',
    description: 'Reports progress three times while it works.',
    input: noArguments,
    run: async (_args, { progress, signal }) => {
      progress(0, 100);
      await wait(STEP_MS, undefined, { signal });
      progress(50, 100);
      await wait(STEP_MS, undefined, { signal });
      progress(100, 100);
      return 'Reported progress three times.';
    },
  }),
  tool({
    name: 'test_logging_tool',
    description: 'Logs one message, for clients that asked for log messages.',
    input: noArguments,
    run: (_args, { log }) => {
      log('info', 'A message at the level info');
      return 'Logged one message.';
    },
  }),
  tool({
    name: 'test_reconnection',
    description: 'Closes the connection before it responds, so that the client polls for the response.',
    input: noArguments,
    run: async (_args, context) => {
      context.releaseConnection(RETRY_MS);
      await wait(STEP_MS, undefined, { signal: context.signal });
      return 'Responded after the connection was closed.';
    },
  }),
];
