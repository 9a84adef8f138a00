import { changing } from './changing-verbs.ts';
import { comparing } from './comparing-verbs.ts';
import { looking } from './looking-verbs.ts';
import { transferring } from './transferring-verbs.ts';
import type { Rule } from './verb-rule.ts';

export type { Rule };

/** The only table of git's permitted arguments; a verb of two words is a command and its sub-command. */
export const verbs = { ...looking, ...comparing, ...changing, ...transferring };

export type Verb = keyof typeof verbs;
export type FlagOf<V extends Verb> = (typeof verbs)[V]['flags'][number];
export type OptionOf<V extends Verb> = keyof (typeof verbs)[V]['options'];
