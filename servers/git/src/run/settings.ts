export type Setting = readonly [key: string, value: string];

/** Where no hook is found; git reads it so on every platform. */
export const noHooks = '/dev/null';

/** Shapes of output that no flag settles. */
export const shape: readonly Setting[] = [
  ['core.quotePath', 'true'],
  ['diff.suppressBlankEmpty', 'false'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
];

/** Holds at every run but those as by hand; of one key, the last value counts. */
export const settings: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', noHooks],
  ['core.alternateRefsCommand', 'true'],
  ['safe.bareRepository', 'explicit'],
  // the server looks into each submodule by itself
  ['diff.ignoreSubmodules', 'dirty'],
  ['log.showSignature', 'false'],
  ['submodule.recurse', 'false'],
  // git would start them in the background, beyond the reach of a cancel
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // messages go in as they come here, and out
  ['i18n.commitEncoding', 'UTF-8'],
  ...shape,
];

/**
 * Settings that win over every file, from `first` on. Not by `-c`: it ends the key at the first `=`, so that
 * a filter named `a=b` would escape.
 */
export function addSettings(environment: Record<string, string>, added: readonly Setting[], first = 0): void {
  for (let index = 0; index < added.length; index++) {
    const [key, value] = added[index]!;
    environment[`GIT_CONFIG_KEY_${first + index}`] = key;
    environment[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  environment.GIT_CONFIG_COUNT = String(first + added.length);
}
