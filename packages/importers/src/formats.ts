import { backlogMd } from './backlog-md/format.ts'
import { beads } from './beads/format.ts'
import { csv } from './csv/format.ts'
import type { Format } from './format.ts'
import type { ImportFormat } from './neutral.ts'
import { openSpec } from './openspec/format.ts'
import { specKit } from './spec-kit/format.ts'
import { taskMaster } from './task-master/format.ts'
import { vibeKanban } from './vibe-kanban/format.ts'

/** The readers of all formats; a new one is a line here and in `ImportFormat` of the contract. */
export const formats: Readonly<Record<ImportFormat, Format>> = {
  beads,
  'backlog-md': backlogMd,
  'task-master': taskMaster,
  'spec-kit': specKit,
  csv,
  openspec: openSpec,
  'vibe-kanban': vibeKanban,
}
