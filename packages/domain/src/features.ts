import { type AnyOperation, type FeatureName, featureOf } from '@specboard/contract'
import { agentOperations } from './agents/operations.ts'
import { architectureOperations } from './architecture/operations.ts'
import { attachmentOperations } from './attachments/operations.ts'
import { boardOperations } from './boards/operations.ts'
import { cardOperations } from './cards/operations.ts'
import { commentOperations } from './comments/operations.ts'
import { guidelineOperations } from './guidelines/operations.ts'
import { healthOperations } from './health/operations.ts'
import { ideationOperations } from './ideations/operations.ts'
import type { Runner } from './implement.ts'
import { meOperations } from './me/operations.ts'
import { presetOperations } from './presets/operations.ts'
import { qaOperations } from './qa/operations.ts'
import { refinementOperations } from './refinements/operations.ts'
import { settingsOperations } from './settings/operations.ts'
import { specOperations } from './specs/operations.ts'
import { sprintOperations } from './sprints/operations.ts'

type Runners = Readonly<Record<string, Runner>>

const loaded: Record<string, Runner> = {
  ...agentOperations,
  ...architectureOperations,
  ...attachmentOperations,
  ...boardOperations,
  ...cardOperations,
  ...commentOperations,
  ...guidelineOperations,
  ...healthOperations,
  ...ideationOperations,
  ...meOperations,
  ...presetOperations,
  ...qaOperations,
  ...refinementOperations,
  ...settingsOperations,
  ...specOperations,
  ...sprintOperations,
}

/** Features that not every day needs: loaded with their first call, where they would be a tenth of each start. */
const later: Partial<Record<FeatureName, () => Promise<Runners>>> = {
  analytics: async () => (await import('./analytics/operations.ts')).analyticsOperations,
  discovery: async () => (await import('./discovery/operations.ts')).discoveryOperations,
  'knowledge-graph': async () => (await import('./knowledge-graph/operations.ts')).knowledgeGraphOperations,
  lineage: async () => (await import('./lineage/operations.ts')).lineageOperations,
}

/** The implementation of an operation, where it is loaded. */
export const loadedRunner = (operation: AnyOperation): Runner | undefined => loaded[operation.name]

/** The implementation of an operation, loaded where it was not. */
export const runnerOf = (operation: AnyOperation): Runner | Promise<Runner> =>
  loadedRunner(operation) ?? loadRunner(operation)

async function loadRunner(operation: AnyOperation): Promise<Runner> {
  Object.assign(loaded, await later[featureOf(operation)]?.())
  const runner = loadedRunner(operation)
  if (runner === undefined) throw new Error(`No implementation of ${operation.name}.`)
  return runner
}
