import { agents } from './agents.ts'
import { analytics } from './analytics.ts'
import { architecture } from './architecture.ts'
import { attachments } from './attachments.ts'
import { boards } from './boards.ts'
import { cards } from './cards.ts'
import { comments } from './comments.ts'
import { discovery } from './discovery.ts'
import { guidelines } from './guidelines.ts'
import { health } from './health.ts'
import { ideations } from './ideations.ts'
import { knowledgeGraph } from './knowledge-graph.ts'
import { lineage } from './lineage.ts'
import { me } from './me.ts'
import type { AnyOperation } from './operation.ts'
import { presets } from './presets.ts'
import { qa } from './qa.ts'
import { refinements } from './refinements.ts'
import { settings } from './settings.ts'
import { specs } from './specs.ts'
import { sprints } from './sprints.ts'

/** Every feature with its operations, precisely typed; in the order of operations.tsv. */
export const features = {
  agents,
  analytics,
  architecture,
  attachments,
  boards,
  cards,
  comments,
  discovery,
  guidelines,
  health,
  ideations,
  'knowledge-graph': knowledgeGraph,
  lineage,
  me,
  presets,
  qa,
  refinements,
  settings,
  specs,
  sprints,
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
