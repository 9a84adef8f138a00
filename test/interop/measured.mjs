// loaded into a server before it starts: reports its live memory to its parent on request
import { liveBytes } from '../../packages/protocol/test/socket/memory.mjs';

process.on('message', () => process.send?.(liveBytes()));
process.channel?.unref();
