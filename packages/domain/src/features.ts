import { type AnyOperation, type FeatureName, featureOf } from '@specboard/contract'
import { refusalOfError } from './kernel/errors.ts'
import type { Runner } from './kernel/implement.ts'

type Runners = Readonly<Record<string, Runner>>

/** Each feature is loaded by its first call. Loading all of them would take a seventh of the start time. */
const features: Readonly<Record<FeatureName, () => Promise<Runners>>> = {
  agents: async () => (await import('./workspace/agents/operations.ts')).agentOperations,
  analytics: async () => (await import('./insight/analytics/operations.ts')).analyticsOperations,
  architecture: async () => (await import('./planning/architecture/operations.ts')).architectureOperations,
  attachments: async () => (await import('./delivery/attachments/operations.ts')).attachmentOperations,
  board: async () => (await import('./board.ts')).boardOperations,
  boards: async () => (await import('./workspace/boards/operations.ts')).boardOperations,
  cards: async () => (await import('./delivery/cards/operations.ts')).cardOperations,
  comments: async () => (await import('./delivery/comments/operations.ts')).commentOperations,
  discovery: async () => (await import('./insight/discovery/operations.ts')).discoveryOperations,
  evidence: async () => (await import('./evidence.ts')).evidenceOperations,
  exchange: async () => (await import('./exchange/operations.ts')).exchangeOperations,
  git: async () => (await import('./delivery/git/operations.ts')).gitOperations,
  guidelines: async () => (await import('./workspace/guidelines/operations.ts')).guidelineOperations,
  harness: async () => (await import('./harness.ts')).harnessOperations,
  health: async () => (await import('./workspace/health/operations.ts')).healthOperations,
  ideations: async () => (await import('./planning/ideations/operations.ts')).ideationOperations,
  'knowledge-graph': async () => (await import('./graph/operations.ts')).knowledgeGraphOperations,
  lineage: async () => (await import('./planning/lineage/operations.ts')).lineageOperations,
  me: async () => (await import('./me.ts')).meOperations,
  notifications: async () => (await import('./notifications/operations.ts')).notificationOperations,
  people: async () => (await import('./workspace/people/operations.ts')).peopleOperations,
  presets: async () => (await import('./workspace/presets/operations.ts')).presetOperations,
  qa: async () => (await import('./delivery/qa/operations.ts')).qaOperations,
  refinements: async () => (await import('./planning/refinements/operations.ts')).refinementOperations,
  settings: async () => (await import('./workspace/settings/operations.ts')).settingsOperations,
  specs: async () => (await import('./specs.ts')).specOperations,
  sprints: async () => (await import('./planning/sprints/operations.ts')).sprintOperations,
  templates: async () => (await import('./workspace/templates/operations.ts')).templateOperations,
  views: async () => (await import('./workspace/views/operations.ts')).viewOperations,
  webhooks: async () => (await import('./workspace/webhooks/operations.ts')).webhookOperations,
  work: async () => (await import('./work.ts')).workOperations,
}

const loaded: Record<string, Runner> = {}

/**
 * The implementation of an operation that `runnerOf` has loaded; for units of work, which cannot wait for a load.
 * @throws Error when it is not loaded
 */
export function loadedRunner({ name }: AnyOperation): Runner {
  const runner = loaded[name]
  if (runner === undefined) throw new Error(`No implementation of ${name} is loaded.`)
  return runner
}

/** The implementation of an operation, loaded on first use. */
export const runnerOf = (operation: AnyOperation): Runner | Promise<Runner> =>
  loaded[operation.name] ?? loadRunner(operation)

/** @throws DomainError BUSY while the process has no free file handle for its file; the next call loads it */
async function loadRunner(operation: AnyOperation): Promise<Runner> {
  try {
    Object.assign(loaded, await features[featureOf(operation)]())
  } catch (error) {
    throw refusalOfError(error) ?? error
  }
  return loadedRunner(operation)
}
