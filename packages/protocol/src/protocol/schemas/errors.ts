import * as z from 'zod';
import type * as t from '../types.ts';
import { clientCapabilities } from './capabilities.ts';
import { elicitRequestURLParams } from './elicitation.ts';
import { type Facts, object, perRevision } from './shape.ts';

const urlElicitationRequired = perRevision<t.URLElicitationRequiredErrorData>((has) =>
  object<t.URLElicitationRequiredErrorData>({ elicitations: z.array(elicitRequestURLParams(has)) }),
);

const missingRequiredClientCapability = perRevision<t.MissingRequiredClientCapabilityErrorData>((has) =>
  object<t.MissingRequiredClientCapabilityErrorData>({ requiredCapabilities: clientCapabilities(has) }),
);

const unsupportedProtocolVersion = perRevision<t.UnsupportedProtocolVersionErrorData>(() =>
  object<t.UnsupportedProtocolVersionErrorData>({ requested: z.string(), supported: z.array(z.string()) }),
);

/** Returns the schema of the `data` of an error code, or undefined if the revision defines none. */
export function errorDataByCode(has: Facts, code: number): z.ZodType | undefined {
  if (has.tasks && code === -32042) return urlElicitationRequired(has);
  if (has.stateless && code === -32021) return missingRequiredClientCapability(has);
  if (has.stateless && code === -32022) return unsupportedProtocolVersion(has);
  return undefined;
}
