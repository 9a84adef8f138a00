import type { RequirementId } from './requirements.ts';
import type { Scene } from './scene.ts';

/** Looks at a server: throws Broken or Unseen, or finds nothing wrong. */
export type Rule = (scene: Scene) => void | Promise<void>;

/** How requirements are observed; a revision that lacks one skips it. */
export type Rules = Partial<Record<RequirementId, Rule>>;
