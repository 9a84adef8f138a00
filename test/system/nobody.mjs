// loaded before the server: changes to an unprivileged user
import { isMainThread } from 'node:worker_threads';

const NOBODY = 65_534;

if (isMainThread) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
