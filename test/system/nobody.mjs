// loaded before the server: it becomes somebody who may do little
import { isMainThread } from 'node:worker_threads';

const NOBODY = 65_534;

if (isMainThread) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
