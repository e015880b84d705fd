import { type AnyOperation, type FeatureName, featureOf } from '@specboard/contract'
import type { Runner } from './implement.ts'

type Runners = Readonly<Record<string, Runner>>

/** Every feature is loaded with its first call: all of them together would be a seventh of a start. */
const features: Readonly<Record<FeatureName, () => Promise<Runners>>> = {
  agents: async () => (await import('./agents/operations.ts')).agentOperations,
  analytics: async () => (await import('./analytics/operations.ts')).analyticsOperations,
  architecture: async () => (await import('./architecture/operations.ts')).architectureOperations,
  attachments: async () => (await import('./attachments/operations.ts')).attachmentOperations,
  boards: async () => (await import('./boards/operations.ts')).boardOperations,
  cards: async () => (await import('./cards/operations.ts')).cardOperations,
  comments: async () => (await import('./comments/operations.ts')).commentOperations,
  discovery: async () => (await import('./discovery/operations.ts')).discoveryOperations,
  guidelines: async () => (await import('./guidelines/operations.ts')).guidelineOperations,
  health: async () => (await import('./health/operations.ts')).healthOperations,
  ideations: async () => (await import('./ideations/operations.ts')).ideationOperations,
  'knowledge-graph': async () => (await import('./knowledge-graph/operations.ts')).knowledgeGraphOperations,
  lineage: async () => (await import('./lineage/operations.ts')).lineageOperations,
  me: async () => (await import('./me/operations.ts')).meOperations,
  presets: async () => (await import('./presets/operations.ts')).presetOperations,
  qa: async () => (await import('./qa/operations.ts')).qaOperations,
  refinements: async () => (await import('./refinements/operations.ts')).refinementOperations,
  settings: async () => (await import('./settings/operations.ts')).settingsOperations,
  specs: async () => (await import('./specs/operations.ts')).specOperations,
  sprints: async () => (await import('./sprints/operations.ts')).sprintOperations,
}

const loaded: Record<string, Runner> = {}

/** The implementation of an operation that `runnerOf` gave before, for units of work, which cannot wait for it. */
export function loadedRunner({ name }: AnyOperation): Runner {
  const runner = loaded[name]
  if (runner === undefined) throw new Error(`No implementation of ${name} is loaded.`)
  return runner
}

/** The implementation of an operation, loaded where it was not. */
export const runnerOf = (operation: AnyOperation): Runner | Promise<Runner> =>
  loaded[operation.name] ?? loadRunner(operation)

async function loadRunner(operation: AnyOperation): Promise<Runner> {
  Object.assign(loaded, await features[featureOf(operation)]())
  return loadedRunner(operation)
}
