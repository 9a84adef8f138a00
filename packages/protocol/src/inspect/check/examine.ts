import { toError } from '../../client/errors.ts';
import { allRevisions, type Revision } from '../../protocol/revisions.ts';
import { type Demand, demandOf } from './demand.ts';
import { Broken, Unseen } from './finding.ts';
import { headerRules, httpRules, replyRules } from './http-rules.ts';
import { lifecycleRules, versioningRules } from './lifecycle-rules.ts';
import { listRules } from './list-rules.ts';
import { messageRules } from './message-rules.ts';
import { promptRules } from './prompt-rules.ts';
import { type RequirementId, requirements } from './requirements.ts';
import { resourceRules } from './resource-rules.ts';
import type { Rules } from './rules.ts';
import { Scene, type SceneOptions } from './scene.ts';
import { sessionRules } from './session-rules.ts';
import { stdioRules } from './stdio-rules.ts';
import { subscriptionRules } from './subscription-rules.ts';
import { toolRules } from './tool-rules.ts';
import { transcriptRules } from './transcript-rules.ts';
import { utilityRules } from './utility-rules.ts';

/** The result for one requirement: `warn` if the specification only recommends or implies it. */
export interface Finding extends Demand {
  readonly state: 'pass' | 'fail' | 'warn' | 'unseen';
  /** the fault, or the reason why nothing could be observed */
  readonly why: string | undefined;
}

/** The results of one revision. */
export interface Examination {
  readonly revision: Revision;
  readonly findings: readonly Finding[];
}

/** Rules that send messages; the others check all messages at the end. */
const talking: Rules = {
  ...lifecycleRules,
  ...versioningRules,
  ...messageRules,
  ...listRules,
  ...toolRules,
  ...resourceRules,
  ...promptRules,
  ...utilityRules,
  ...subscriptionRules,
  ...httpRules,
  ...sessionRules,
  ...headerRules,
};
const looking: Rules = { ...replyRules, ...transcriptRules, ...stdioRules };

/** All rules, by requirement. */
export const rules: Rules = { ...talking, ...looking };

/** Checks a server in one revision; returns undefined if the server does not support it. */
export async function examine(
  options: SceneOptions,
  transport: 'stdio' | 'http',
): Promise<Examination | undefined> {
  const scene = await Scene.open(options);
  if (scene === undefined) return undefined;
  const found = new Map<RequirementId, Finding>();
  try {
    for (const part of [talking, looking]) {
      for (const id of Object.keys(part) as RequirementId[]) {
        // rules are keyed by requirements
        const demand = demandOf(id, options.revision);
        if (demand === undefined || !concerns(id, transport)) continue;
        found.set(id, await observe(scene, id, demand));
      }
    }
  } finally {
    await scene.close();
  }
  const order = Object.keys(requirements) as RequirementId[]; // its own keys
  const findings = order.flatMap((id) => found.get(id) ?? []);
  return { revision: options.revision, findings };
}

/** Checks a server in each of the given revisions that it supports, newest first. */
export async function examineAll(
  wanted: readonly Revision[],
  options: Omit<SceneOptions, 'revision'>,
  transport: 'stdio' | 'http',
): Promise<Examination[]> {
  const newestFirst = allRevisions.toReversed().filter((revision) => wanted.includes(revision));
  const all: Examination[] = [];
  for (const revision of newestFirst) {
    const examined = await examine({ ...options, revision }, transport);
    if (examined !== undefined) all.push(examined);
  }
  return all;
}

function concerns(id: RequirementId, transport: 'stdio' | 'http'): boolean {
  return !id.startsWith('transport-') || id.startsWith(`transport-${transport}/`);
}

async function observe(scene: Scene, id: RequirementId, demand: Demand): Promise<Finding> {
  try {
    await rules[id]?.(scene);
    return { ...demand, state: 'pass', why: undefined };
  } catch (error) {
    const why = toError(error).message;
    if (error instanceof Unseen) return { ...demand, state: 'unseen', why };
    const isDemanded = demand.level === 'MUST' || demand.level === 'MUST NOT';
    const fault = error instanceof Broken ? why : `the check failed: ${why}`;
    return { ...demand, state: isDemanded ? 'fail' : 'warn', why: fault };
  }
}
