import { changing } from './verbs/changing.ts';
import { comparing } from './verbs/comparing.ts';
import { looking } from './verbs/looking.ts';
import type { Rule } from './verbs/rule.ts';
import { transferring } from './verbs/transferring.ts';

export type { Rule };

/** The only table of git's permitted arguments; a verb of two words is a command and its sub-command. */
export const verbs = { ...looking, ...comparing, ...changing, ...transferring };

export type Verb = keyof typeof verbs;
export type FlagOf<V extends Verb> = (typeof verbs)[V]['flags'][number];
export type OptionOf<V extends Verb> = keyof (typeof verbs)[V]['options'];
