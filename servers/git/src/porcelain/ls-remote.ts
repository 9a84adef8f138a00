import { isOid, type Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';

/** A reference of another repository. */
export interface RemoteRef {
  /** the full name; one that ends in ^{} is the object of an annotated tag */
  readonly name: string;
  readonly oid: Oid;
}

/** Reads the output of `ls-remote`. */
export function parseRemoteRefs(stdout: Buffer): RemoteRef[] {
  return stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const tab = line.indexOf('\t');
      const oid = line.slice(0, Math.max(tab, 0));
      return isOid(oid) ? { oid, name: nameOfByteString(line.slice(tab + 1)) } : [];
    });
}
