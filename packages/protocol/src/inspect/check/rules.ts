import type { RequirementId } from './requirements.ts';
import type { Scene } from './scene.ts';

/** Checks one requirement: throws Broken or Unseen, or returns. */
export type Rule = (scene: Scene) => void | Promise<void>;

/** The rules by requirement; rules of requirements that a revision does not have are skipped. */
export type Rules = Partial<Record<RequirementId, Rule>>;
