import { agentOperations } from './agents/operations.ts'
import { analyticsOperations } from './analytics/operations.ts'
import { architectureOperations } from './architecture/operations.ts'
import { attachmentOperations } from './attachments/operations.ts'
import { boardOperations } from './boards/operations.ts'
import { cardOperations } from './cards/operations.ts'
import { commentOperations } from './comments/operations.ts'
import { discoveryOperations } from './discovery/operations.ts'
import { guidelineOperations } from './guidelines/operations.ts'
import { healthOperations } from './health/operations.ts'
import { ideationOperations } from './ideations/operations.ts'
import type { Runner } from './implement.ts'
import { knowledgeGraphOperations } from './knowledge-graph/operations.ts'
import { lineageOperations } from './lineage/operations.ts'
import { meOperations } from './me/operations.ts'
import { presetOperations } from './presets/operations.ts'
import { qaOperations } from './qa/operations.ts'
import { refinementOperations } from './refinements/operations.ts'
import { settingsOperations } from './settings/operations.ts'
import { specOperations } from './specs/operations.ts'
import { sprintOperations } from './sprints/operations.ts'

/** The implementation of every operation, by name. */
export const runners: Readonly<Record<string, Runner>> = {
  ...agentOperations,
  ...analyticsOperations,
  ...architectureOperations,
  ...attachmentOperations,
  ...boardOperations,
  ...cardOperations,
  ...commentOperations,
  ...discoveryOperations,
  ...guidelineOperations,
  ...healthOperations,
  ...ideationOperations,
  ...knowledgeGraphOperations,
  ...lineageOperations,
  ...meOperations,
  ...presetOperations,
  ...qaOperations,
  ...refinementOperations,
  ...settingsOperations,
  ...specOperations,
  ...sprintOperations,
}
