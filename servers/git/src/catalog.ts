import { catalogOf } from '@rootbound/protocol';
import { gitStatus } from './tools/git-status.ts';

/** The tools of this server; the build replaces this module by one that knows their list and loads each on call. */
export const catalog = catalogOf([gitStatus], { outputs: 'shape' });
