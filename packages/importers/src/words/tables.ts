/** The status, priority and severity words of all tools: one table for all readers (imports 4). */
import { BugSeverity, CardPriority, CardStatus } from '@specboard/contract'
import type { NeutralCard } from '../neutral.ts'
import { plain } from './plain.ts'

export type Status = NeutralCard['status']
export type Priority = NeutralCard['priority']
export type Severity = NonNullable<NeutralCard['severity']>
type Table<Value extends string> = Readonly<Partial<Record<Value, readonly string[]>>>

/** The words for statuses of inactive records, which are imported as archived. */
export const notLiveWords = ['archived', 'archive', 'template', 'tombstone', 'trash', 'trashed'] as const

/** Other languages: Jira's default statuses of a new project in German, Spanish, French, Italian and Portuguese. */
const statusWords: Table<Status> = {
  not_started: [
    ...['open', 'opened', 'backlog', 'product backlog', 'sprint backlog', 'triage', 'needs triage', 'inbox', 'todo'],
    ...['to do', 'ready', 'ready to start', 'ready for development', 'ready for dev', 'new', 'created', 'pending'],
    ...['selected for development', 'planned', 'queued', 'unstarted', 'next', 'next up', 'up next', 'draft'],
    ...['proposed', 'approved', 'reopened', 're opened', 'pinned', 'zu erledigen', 'por hacer', 'à faire'],
    ...['da completare', 'tarefas pendentes', 'a fazer'],
  ],
  in_progress: [
    ...['in progress', 'inprogress', 'doing', 'active', 'wip', 'work in progress', 'in development', 'in dev'],
    ...['development', 'developing', 'implementing', 'in implementation', 'ongoing', 'underway', 'committed'],
    ...['hooked', 'assigned', 'in arbeit', 'en curso', 'en cours', 'in corso', 'em andamento'],
  ],
  validation: [
    ...['in review', 'review', 'reviewing', 'code review', 'in code review', 'peer review', 'under review'],
    ...['ready for review', 'awaiting review', 'pending review', 'needs review', 'qa', 'in qa', 'ready for qa', 'test'],
    ...['testing', 'in testing', 'in test', 'ready for test', 'ready for testing', 'verifying', 'verification', 'uat'],
  ],
  on_hold: [
    ...['blocked', 'waiting', 'waiting for support', 'waiting for customer', 'paused', 'deferred', 'on hold', 'hold'],
    ...['postponed', 'suspended', 'stalled', 'stuck', 'snoozed', 'someday', 'icebox', 'feedback', 'later'],
    ...['needs info', 'needs information', 'awaiting feedback'],
  ],
  done: [
    ...['done', 'completed', 'complete', 'closed', 'resolved', 'fixed', 'verified', 'released', 'merged', 'shipped'],
    ...['finished', 'deployed', 'delivered', 'accepted', 'implemented', 'live', 'fertig', 'finalizada', 'finalizado'],
    ...['listo', 'terminé', 'terminée', 'terminé e', 'completata', 'completato', 'concluído', 'concluída', 'concluido'],
  ],
  cancelled: [
    ...['cancelled', 'canceled', 'wontfix', 'wont do', 'wont fix', 'will not do', 'will not fix', 'wont implement'],
    ...['duplicate', 'duplicated', 'obsolete', 'rejected', 'invalid', 'not planned', 'closed as not planned'],
    ...['abandoned', 'removed', 'declined', 'dropped', 'discarded', 'deleted', 'superseded', 'out of scope'],
    ...['cannot reproduce', 'cant reproduce', 'not reproducible', 'works for me', 'worksforme', 'not a bug'],
    ...['by design', 'works as designed', 'incomplete', ...notLiveWords],
  ],
}

/** P0 to P4, and the names of Jira, Redmine and Linear. */
const priorityWords: Table<Priority> = {
  critical: ['urgent', 'highest', 'blocker', 'immediate', 'showstopper', 'emergency', 'p0', 'höchste', 'más alta'],
  high: ['major', 'important', 'p1', 'hoch', 'alta', 'haute', 'élevée'],
  medium: ['normal', 'moderate', 'default', 'p2', 'mittel', 'media', 'média', 'moyenne'],
  low: ['minor', 'p3', 'niedrig', 'baja', 'baixa', 'basse', 'faible'],
  none: ['lowest', 'trivial', 'no priority', 'unprioritized', 'not set', 'p4', 'niedrigste', 'más baja'],
}

const severityWords: Table<Severity> = {
  critical: ['blocker', 'highest', 'urgent', 'high', 'severe', 's0', 's1', 'sev0', 'sev1', '1 critical'],
  major: ['medium', 'normal', 'moderate', 's2', 'sev2', '2 high', '3 medium'],
  minor: ['low', 'lowest', 'trivial', 'cosmetic', 's3', 's4', 'sev3', 'sev4', '4 low'],
}

/** The words of a table, and this service's own. */
const byWord = <Value extends string>(own: readonly Value[], table: Table<Value>): ReadonlyMap<string, Value> =>
  new Map(own.flatMap(value => [value, ...(table[value] ?? [])].map(word => [plain(word), value] as const)))

export const statuses = byWord(CardStatus.options, statusWords)

export const priorities = byWord(CardPriority.options, priorityWords)

export const severities = byWord(BugSeverity.options, severityWords)
