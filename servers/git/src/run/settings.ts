export type Setting = readonly [key: string, value: string];

/** A path without hooks; git reads it so on every platform. */
export const noHooks = '/dev/null';

/** No template for a new repository: its hooks would be copied, and look like the repository's own. */
export const noTemplate: Setting = ['init.templateDir', ''];

/** Formats of output that no flag sets. */
export const shape: readonly Setting[] = [
  ['core.quotePath', 'true'],
  ['diff.suppressBlankEmpty', 'false'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
];

/** Settings of every run except those as by hand; the last value of a key counts. */
export const settings: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', noHooks],
  ['core.alternateRefsCommand', 'true'],
  ['safe.bareRepository', 'explicit'],
  // the server looks into each submodule by itself
  ['diff.ignoreSubmodules', 'dirty'],
  ['log.showSignature', 'false'],
  ['submodule.recurse', 'false'],
  // git would start them in the background, where a cancel does not reach them
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // messages go in and out unchanged
  ['i18n.commitEncoding', 'UTF-8'],
  ...shape,
];

/**
 * Returns settings that override every file, from number `first` on. Not by `-c`: it ends the key at the first `=`, so
 * that a filter named `a=b` would escape.
 */
export function addSettings(environment: Record<string, string>, added: readonly Setting[], first = 0): void {
  for (let index = 0; index < added.length; index++) {
    const [key, value] = added[index]!;
    environment[`GIT_CONFIG_KEY_${first + index}`] = key;
    environment[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  environment.GIT_CONFIG_COUNT = String(first + added.length);
}
