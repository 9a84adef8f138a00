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

/** What was found of one requirement: `warn` where the specification only recommends it, or only implies it. */
export interface Finding extends Demand {
  readonly state: 'pass' | 'fail' | 'warn' | 'unseen';
  /** what is wrong, or why nothing was seen */
  readonly why: string | undefined;
}

/** What was found of a server in one revision. */
export interface Examination {
  readonly revision: Revision;
  readonly findings: readonly Finding[];
}

/** Those that talk, and those that look at all that was said. */
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

/** Every rule, by the requirement that it observes. */
export const rules: Rules = { ...talking, ...looking };

/** Observes a server in one revision; undefined when it does not have that revision. */
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
        // holds: rules are keyed by requirements
        const demand = demandOf(id, options.revision);
        if (demand === undefined || !concerns(id, transport)) continue;
        found.set(id, await observe(scene, id, demand));
      }
    }
  } finally {
    await scene.close();
  }
  const order = Object.keys(requirements) as RequirementId[]; // holds: they are its own keys
  const findings = order.flatMap((id) => found.get(id) ?? []);
  return { revision: options.revision, findings };
}

/** Observes a server in every given revision that it has, newest first. */
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
    const said = error instanceof Broken ? why : `it could not be observed: ${why}`;
    return { ...demand, state: isDemanded ? 'fail' : 'warn', why: said };
  }
}
