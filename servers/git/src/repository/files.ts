import { Scope } from '@rootbound/kit/boundary';
import type { Repository } from './repository.ts';

const withoutDenials = new WeakMap<Scope, Scope>();
const withDenials = new WeakMap<Scope, Scope>();

/** Returns the scope without denied names, for git itself: its git dir is on the default list. */
export function scopeOfGit(files: Scope): Scope {
  const known = withoutDenials.get(files);
  if (known !== undefined) return known;
  const { roots, reason, containment } = files;
  const scope = new Scope({ roots, reason, containment });
  withoutDenials.set(files, scope);
  withDenials.set(scope, files);
  return scope;
}

/**
 * Returns the scope that `scopeOfGit` was given, for files and folders that this server opens, creates or lists itself.
 */
export function scopeOfFiles(git: Scope): Scope {
  return withDenials.get(git) ?? git;
}

/** Returns whether a repository lies in a denied folder. Its own `.git`, and the files in it, do not count. */
export function isDeniedRepository(git: Scope, { place, top }: Repository): boolean {
  const [folder = ''] = (place.workTree ?? top).split(/[\\/]\.git(?=[\\/]|$)/);
  return scopeOfFiles(git).hides(folder);
}
