// loaded into a server before it starts: tells its parent, when asked, how many bytes live
import { liveBytes } from '../../packages/protocol/test/socket/memory.mjs';

process.on('message', () => process.send?.(liveBytes()));
process.channel?.unref();
