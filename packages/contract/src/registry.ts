import { agents } from './features/agents.ts'
import { analytics } from './features/analytics.ts'
import { architecture } from './features/architecture.ts'
import { attachments } from './features/attachments.ts'
import { board } from './features/board.ts'
import { boards } from './features/boards.ts'
import { cards } from './features/cards.ts'
import { comments } from './features/comments.ts'
import { discovery } from './features/discovery.ts'
import { evidence } from './features/evidence.ts'
import { exchange } from './features/exchange.ts'
import { git } from './features/git.ts'
import { guidelines } from './features/guidelines.ts'
import { harness } from './features/harness.ts'
import { health } from './features/health.ts'
import { ideations } from './features/ideations.ts'
import { knowledgeGraph } from './features/knowledge-graph.ts'
import { lineage } from './features/lineage.ts'
import { me } from './features/me.ts'
import { notifications } from './features/notifications.ts'
import { people } from './features/people.ts'
import { presets } from './features/presets.ts'
import { qa } from './features/qa.ts'
import { refinements } from './features/refinements.ts'
import { settings } from './features/settings.ts'
import { specs } from './features/specs.ts'
import { sprints } from './features/sprints.ts'
import { templates } from './features/templates.ts'
import { views } from './features/views.ts'
import { webhooks } from './features/webhooks.ts'
import { work } from './features/work.ts'
import type { AnyOperation } from './operation.ts'

/** Every feature with its operations, precisely typed, in the order of operations.tsv. */
export const features = {
  agents,
  analytics,
  architecture,
  attachments,
  board,
  boards,
  cards,
  comments,
  discovery,
  evidence,
  exchange,
  git,
  guidelines,
  harness,
  health,
  ideations,
  'knowledge-graph': knowledgeGraph,
  lineage,
  me,
  notifications,
  people,
  presets,
  qa,
  refinements,
  settings,
  specs,
  sprints,
  templates,
  views,
  webhooks,
  work,
} as const

/** The name of a feature. */
export type FeatureName = keyof typeof features

type Features = typeof features

/** Every operation by name, precisely typed. */
export type Operations = {
  readonly [K in { [F in FeatureName]: keyof Features[F] }[FeatureName]]: {
    [F in FeatureName]: K extends keyof Features[F] ? Features[F][K] : never
  }[FeatureName]
}

/** The name of an operation. */
export type OperationName = keyof Operations

const entries = Object.entries(features).flatMap(([feature, operations]) =>
  Object.values(operations as Readonly<Record<string, AnyOperation>>).map(operation => ({
    feature: feature as FeatureName,
    operation,
  })),
)

/** All operations; adapters, client, docs and tests loop over it. */
export const registry: readonly AnyOperation[] = entries.map(entry => entry.operation)

/** An operation by its name. */
export const operationByName: ReadonlyMap<string, AnyOperation> = new Map(
  registry.map(operation => [operation.name, operation]),
)

const featureByName = new Map(entries.map(({ feature, operation }) => [operation.name, feature]))

/** The feature that an operation belongs to. */
export const featureOf = (operation: AnyOperation): FeatureName => featureByName.get(operation.name)!
