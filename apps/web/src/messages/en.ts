import { activity } from './en/activity.ts'
import { administration } from './en/administration.ts'
import { analytics } from './en/analytics.ts'
import { architecture } from './en/architecture.ts'
import { board } from './en/board.ts'
import { card } from './en/card.ts'
import { coverage } from './en/coverage.ts'
import { inbox } from './en/inbox.ts'
import { knowledge } from './en/knowledge.ts'
import { lineage } from './en/lineage.ts'
import { planning } from './en/planning.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { verdicts } from './en/verdicts.ts'

/** The texts of the pages, by page. A further language is one more object of this shape. */
export const en = {
  shell,
  signIn,
  inbox,
  board,
  card,
  planning,
  verdicts,
  coverage,
  lineage,
  knowledge,
  architecture,
  analytics,
  activity,
  settings,
  administration,
} as const
