// node:os takes a third of a millisecond to load, which the start can avoid
const os = (): typeof import('node:os') => process.getBuiltinModule('node:os');

/** Returns the home folder of the user of this process. */
export function homeFolder(): string {
  return os().homedir();
}

/** Returns the name of this machine, or of its container. */
export function hostName(): string {
  return os().hostname();
}
