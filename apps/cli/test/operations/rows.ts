import type { OperationName } from '@specboard/contract'
import { agents } from './agents.rows.ts'
import { analytics } from './analytics.rows.ts'
import { architecture } from './architecture.rows.ts'
import { attachments } from './attachments.rows.ts'
import { board } from './board.rows.ts'
import { boards } from './boards.rows.ts'
import { cards } from './cards.rows.ts'
import { comments } from './comments.rows.ts'
import { discovery } from './discovery.rows.ts'
import { evidence } from './evidence.rows.ts'
import { exchange } from './exchange.rows.ts'
import { git } from './git.rows.ts'
import { guidelines } from './guidelines.rows.ts'
import { harness } from './harness.rows.ts'
import { health } from './health.rows.ts'
import { ideations } from './ideations.rows.ts'
import { knowledgeGraph } from './knowledge-graph.rows.ts'
import { lineage } from './lineage.rows.ts'
import { me } from './me.rows.ts'
import { notifications } from './notifications.rows.ts'
import { people } from './people.rows.ts'
import { presets } from './presets.rows.ts'
import { qa } from './qa.rows.ts'
import { refinements } from './refinements.rows.ts'
import type { Row } from './row.ts'
import { settings } from './settings.rows.ts'
import { specs } from './specs.rows.ts'
import { sprints } from './sprints.rows.ts'
import { templates } from './templates.rows.ts'
import { views } from './views.rows.ts'
import { webhooks } from './webhooks.rows.ts'
import { work } from './work.rows.ts'

/** The row of every operation; an operation without one does not compile. */
export const rows: { readonly [K in OperationName]: Row } = {
  ...agents,
  ...analytics,
  ...architecture,
  ...attachments,
  ...board,
  ...boards,
  ...cards,
  ...comments,
  ...discovery,
  ...evidence,
  ...exchange,
  ...git,
  ...guidelines,
  ...harness,
  ...health,
  ...ideations,
  ...knowledgeGraph,
  ...lineage,
  ...me,
  ...notifications,
  ...people,
  ...presets,
  ...qa,
  ...refinements,
  ...settings,
  ...specs,
  ...sprints,
  ...templates,
  ...views,
  ...webhooks,
  ...work,
}
