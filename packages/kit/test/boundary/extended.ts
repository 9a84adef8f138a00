import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// setxattr and getxattr, by which perl reaches them: Node has no call for them
const numbers: Readonly<Record<string, readonly [set: number, get: number]>> = {
  x64: [188, 191],
  arm64: [5, 8],
};
const [set, get] = numbers[process.arch] ?? [0, 0];

/** Gives a file or folder an extended attribute; false where that cannot be done. */
export function setAttribute(path: string, name: string, value: Buffer): boolean {
  const code = `my $v = pack('H*', $ARGV[2]); exit(syscall(${set}, $ARGV[0], $ARGV[1], $v, length $v, 0) ? 1 : 0)`;
  return spawnSync('perl', ['-e', code, path, name, value.toString('hex')]).status === 0;
}

/** The value of an extended attribute in hexadecimal, empty for none. */
export function attributeOf(path: string, name: string): string {
  const code = `my $v = "\\0" x 4096; my $n = syscall(${get}, $ARGV[0], $ARGV[1], $v, 4096); print unpack('H*', substr($v, 0, $n)) if $n > 0`;
  return spawnSync('perl', ['-e', code, path, name]).stdout.toString();
}

/** Whether files of a folder can have extended attributes, and something can set and show them. */
export function hasAttributes(folder: string): boolean {
  if (process.platform !== 'linux' || set === 0) return false;
  const path = join(folder, `attributes-${process.pid}`);
  writeFileSync(path, '');
  try {
    return setAttribute(path, note, Buffer.from('1')) && attributeOf(path, note) === '31';
  } finally {
    rmSync(path);
  }
}

export const note = 'user.note';
export const accessList = 'system.posix_acl_access';
export const defaultList = 'system.posix_acl_default';
export const capability = 'security.capability';

/** An access list that lets one more user read and write. */
export function listFor(user: number): Buffer {
  const none = 0xffff_ffff;
  const entries = [
    [1, 6, none],
    [2, 6, user],
    [4, 4, none],
    [16, 6, none],
    [32, 4, none],
  ] as const;
  const list = Buffer.alloc(4 + 8 * entries.length);
  list.writeUInt32LE(2);
  for (const [index, [tag, rights, id]] of entries.entries()) {
    list.writeUInt16LE(tag, 4 + 8 * index);
    list.writeUInt16LE(rights, 6 + 8 * index);
    list.writeUInt32LE(id, 8 + 8 * index);
  }
  return list;
}

/** The capability to bind low ports, as a file has it. */
export const bindsLowPorts = Buffer.from('0100000200040000000000000000000000000000', 'hex');
