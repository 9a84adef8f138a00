// node:os takes a third of a millisecond to load, which the start can do without
const os = (): typeof import('node:os') => process.getBuiltinModule('node:os');

/** The home folder of whoever runs this process. */
export function homeFolder(): string {
  return os().homedir();
}

/** The name of this machine, or of its container. */
export function hostName(): string {
  return os().hostname();
}
