import type * as t from '../protocol/types.ts';

/**
 * A model that a client can use, with ratings from 0 to 1 if they are known.
 * @example
 * const models: RatedModel[] = [{ name: 'small-1', cheapness: 1, speed: 1, intelligence: 0.3 }];
 */
export interface RatedModel {
  name: string;
  /** 1 for the cheapest */
  cheapness?: number;
  speed?: number;
  intelligence?: number;
}

/**
 * Returns the model that matches a server's preferences, or undefined without models. The first hint that is
 * part of a name decides; priorities choose among several matches, and the first of equals wins.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#model-preferences
 * @example
 * const models = [{ name: 'large-2' }, { name: 'small-1' }];
 * chooseModel(models, { hints: [{ name: 'tiny' }, { name: 'small' }] })?.name; // => 'small-1'
 */
export function chooseModel<M extends RatedModel>(
  models: readonly M[],
  preferences: t.ModelPreferences = {},
): M | undefined {
  const hinted = (preferences.hints ?? [])
    .map(({ name }) => models.filter((model) => name !== undefined && matches(model, name)))
    .find((found) => found.length > 0);
  let best: M | undefined;
  for (const model of hinted ?? models) {
    if (best === undefined || scoreOf(model, preferences) > scoreOf(best, preferences)) best = model;
  }
  return best;
}

function matches({ name }: RatedModel, hint: string): boolean {
  return name.toLowerCase().includes(hint.toLowerCase());
}

function scoreOf(
  { cheapness = 0, speed = 0, intelligence = 0 }: RatedModel,
  { costPriority = 0, speedPriority = 0, intelligencePriority = 0 }: t.ModelPreferences,
): number {
  return cheapness * costPriority + speed * speedPriority + intelligence * intelligencePriority;
}
