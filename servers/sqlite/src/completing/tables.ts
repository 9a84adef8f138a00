import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { completeIn, suggested } from './opened.ts';

/** Names of the tables and views of the database that was given, or of the only one. */
export const completeTable: Complete<Workspace> = async (value, context, { database }) =>
  suggested(matching((await completeIn(database, context, { of: 'tables' })).flat(), value));
