import { isOid, type Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';

/** A reference of another repository. */
export interface RemoteRef {
  /** whole; one that ends in ^{} is what an annotated tag is of */
  readonly name: string;
  readonly oid: Oid;
}

/** Reads `ls-remote`. */
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
