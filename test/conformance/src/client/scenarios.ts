import {
  actAsNewcomer,
  actAsRegistered,
  actAsWorkload,
  actForEmployee,
  actForItself,
  actForUser,
  actWithKey,
  giveUp,
  refuseToAct,
} from './authorization.ts';
import {
  acceptDefaults,
  addNumbers,
  answerRounds,
  callFirstTool,
  echoSchema,
  initialize,
  listTools,
  negotiate,
} from './basics.ts';
import { callEveryTool, makeCalls, useEverything } from './headers.ts';
import type { Scenario } from './run.ts';
import { listSkills, loadSkills } from './skills.ts';

const scenarios: Readonly<Record<string, Scenario>> = {
  initialize,
  tools_call: addNumbers,
  'elicitation-sep1034-client-defaults': acceptDefaults,
  'sse-retry': callFirstTool,
  'request-metadata': negotiate,
  'sep-2322-client-request-state': answerRounds,
  'http-standard-headers': useEverything,
  'http-custom-headers': makeCalls,
  'http-invalid-tool-headers': callEveryTool,
  'json-schema-ref-no-deref': listTools,
  'json-schema-2020-12-preservation': echoSchema,
  'sep-2640-client-no-prefetch': listSkills,
  'sep-2640-client-verify-digest': loadSkills,
  'sep-2640-client-verify-size': loadSkills,
  'sep-2640-client-verify-frontmatter': loadSkills,
  'auth/resource-mismatch': refuseToAct,
  'auth/iss-supported-missing': refuseToAct,
  'auth/iss-wrong-issuer': refuseToAct,
  'auth/iss-unexpected': refuseToAct,
  'auth/iss-normalized': refuseToAct,
  'auth/metadata-issuer-mismatch': refuseToAct,
  'auth/scope-retry-limit': giveUp,
  'auth/offline-access-scope': actAsNewcomer,
  'auth/pre-registration': actAsRegistered,
  'auth/client-credentials-basic': actForItself,
  'auth/client-credentials-jwt': actWithKey,
  'auth/wif-jwt-bearer': actAsWorkload,
  'auth/enterprise-managed-authorization': actForEmployee,
};

/** Returns the function for a scenario. */
export function scenarioOf(name: string): Scenario {
  const scenario = scenarios[name] ?? (name.startsWith('auth/') ? actForUser : undefined);
  if (scenario === undefined) throw new TypeError(`unknown scenario ${name}`);
  return scenario;
}
