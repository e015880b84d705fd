/** What each operation does to which records, and the words of a request that ask for it (crew 9.1). */
import type { AnyOperation } from '@specboard/contract'

/** What an operation does. */
export type Action =
  | 'create'
  | 'read'
  | 'list'
  | 'find'
  | 'change'
  | 'move'
  | 'destroy'
  | 'judge'
  | 'ask'
  | 'answer'
  | 'link'
  | 'unlink'
  | 'derive'
  | 'take'
  | 'release'
  | 'exchange'
  | 'hide'
  | 'restore'
  | 'other'

const listed = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean)

/** The verbs in names, by what they do. */
const verbs: Readonly<Partial<Record<Action, string>>> = {
  create: 'create add begin record upload save grant import',
  read: 'get read diff validate check',
  list: 'list',
  find: 'find search query execute',
  change: 'update put set regenerate rotate boost allow clone',
  move: 'move',
  destroy: 'delete remove revoke undo',
  judge: 'submit evaluate',
  ask: 'ask',
  answer: 'answer respond',
  link: 'link assign',
  unlink: 'unlink unassign',
  derive: 'derive promote suggest',
  take: 'claim reserve',
  release: 'release',
  exchange: 'export download',
  hide: 'archive dismiss',
  restore: 'restore',
}

/** The words of requests, by what they ask for. */
const requestWords: Readonly<Partial<Record<Action, string>>> = {
  create:
    'create add new make open write propose report define record upload attach import draw plan invite give remember note draft put start begin notify small quick fix typo',
  read: 'show read see view look what when compare history why who whose healthy does trace',
  list: 'list which all what who whose why earlier',
  find: 'find search where locate similar about',
  change:
    'change edit update rename set put assign label add require configure disable enable rotate reset tag prioritize allow',
  move: 'move start finish close complete reopen cancel hold done mark activate advance approve accept back set put stop pause resume',
  destroy: 'delete remove drop erase destroy purge revoke cancel take',
  judge: 'approve reject validate review verdict rate judge evaluate estimate score sign lock accept result',
  ask: 'ask clarify',
  answer: 'answer reply respond',
  link: 'link connect depend depends attach assign add belong wait waits',
  unlink: 'unlink disconnect unassign take remove detach',
  derive: 'turn convert derive promote split break suggest propose divide grew',
  take: 'take claim give grab reserve lock next start begin pick work',
  release: 'release free give let return drop finish have cannot',
  exchange: 'export download csv save',
  hide: 'hide archive dismiss old away',
  restore: 'restore bring back unarchive',
}

/** The nouns in names, and the words of requests that mean them. */
const records: Readonly<Record<string, string>> = {
  card: 'card task ticket issue story todo bug defect chore work job small quick fix typo',
  ideation: 'ideation idea epic feature proposal initiative',
  refinement: 'refinement grooming',
  spec: 'spec specification prd requirement requirements',
  sprint: 'sprint iteration milestone cycle',
  board: 'board project workspace kanban',
  agent: 'agent user member bot somebody',
  key: 'key token credential',
  secret: 'secret',
  preset: 'preset role profile',
  comment: 'comment note remark reply',
  question: 'question',
  attachment: 'attachment file screenshot image',
  knowledge: 'knowledge lesson document memory',
  guideline: 'guideline convention standard rule',
  dependency: 'dependency depend depends blocker block blocks waiting wait waits',
  dependent: 'waiting dependents',
  validation: 'validation verdict review',
  evaluation: 'evaluation score',
  scenario: 'scenario test case',
  item: 'item criterion criteria rule scenario contract decision requirement',
  architecture: 'architecture design',
  diagram: 'diagram drawing',
  webhook: 'webhook notify callback',
  delivery: 'delivery delivered sent',
  repository: 'repository repo git',
  change: 'commit commits branch pull merge',
  claim: 'claim working works',
  path: 'file path files',
  reservation: 'reservation reserved',
  overlap: 'overlap conflict',
  event: 'event happened changed',
  audit: 'audit',
  activity: 'changed who activity',
  history: 'history changed versions',
  snapshot: 'snapshot earlier version',
  share: 'invite share sharing',
  access: 'access',
  member: 'member who see',
  permission: 'permission allowed may right',
  move: 'move blocked blocker why',
  inbox: 'inbox waits next todo should pending',
  checkpoint: 'progress checkpoint far',
  attempt: 'attempt try',
  report: 'report junit results',
  setting: 'setting settings configuration',
  analytics: 'analytics numbers metrics statistics csv report',
  velocity: 'fast velocity throughput speed pace cycle',
  blocker: 'stuck stalled',
  coverage: 'coverage covered',
  lineage: 'trace lineage comes origin',
  graph: 'graph',
  backfill: 'rebuild reindex',
  contradiction: 'contradict contradiction conflict',
  record: 'record',
  seen: 'seen',
  status: 'status healthy alive health',
  worker: 'worker working works idle silent who',
}

const wordsTo = <Key extends string>(words: Readonly<Partial<Record<Key, string>>>) => {
  const keys = new Map<string, Set<Key>>()
  for (const [key, text] of Object.entries(words) as [Key, string][])
    for (const word of listed(text)) keys.set(word, (keys.get(word) ?? new Set<Key>()).add(key))
  return keys
}

/** Whether a word names an action, so that it is not taken for the beginning of another word. */
export const isActionWord = (word: string): boolean => actionsByWord.has(word)

const actionsByVerb = wordsTo(verbs)
const actionsByWord = wordsTo(requestWords)
const recordsByWord = wordsTo(records)

/** Parts of names that stand for another record. */
const sameAs: Readonly<Record<string, string>> = { task: 'card', mine: 'me', cards: 'card', kg: 'graph' }

/** A noun in a name in the singular, as in the records above. */
function nounOf(part: string): string {
  const one = part.endsWith('ies') ? `${part.slice(0, -3)}y` : part
  const singular = Object.hasOwn(records, one) ? one : one.replace(/s$/, '')
  return Object.hasOwn(sameAs, singular) ? sameAs[singular]! : singular
}

/** What an operation does, and to which records, with the main one first. */
export interface OperationSense {
  readonly action: Action
  readonly about: string | undefined
  readonly of: readonly string[]
}

/** What an operation does, judging by its name. */
export function senseOf({ name }: AnyOperation): OperationSense {
  const [verb, ...parts] = name.split('_')
  const [action = 'other'] = actionsByVerb.get(verb!) ?? []
  const all = parts.map(nounOf).filter(noun => Object.hasOwn(records, noun))
  // An operation on analytics or graphs is about the records that they show.
  const nouns = all.length > 1 ? all.filter(noun => noun !== 'analytics' && noun !== 'graph') : all
  // A verdict is about the record that it judges.
  const about = action === 'judge' ? nouns[0] : nouns.at(-1)
  return { action, about, of: nouns.filter(noun => noun !== about) }
}

/** What the words of a request may ask for, and about which records. */
export interface RequestWords {
  readonly actions: ReadonlySet<Action>
  readonly records: ReadonlySet<string>
  /** The records meant by the first word that names any; a request is mostly about these. */
  readonly first: ReadonlySet<string>
}

/** What the words of a request say about actions and records. */
export function requestedBy(words: readonly string[]): RequestWords {
  const actions = new Set<Action>()
  const named = new Set<string>()
  for (const word of words) {
    for (const action of actionsByWord.get(word) ?? []) actions.add(action)
    for (const record of recordsByWord.get(word) ?? []) named.add(record)
  }
  const first = recordsByWord.get(words.find(word => recordsByWord.has(word)) ?? '') ?? new Set()
  return { actions, records: named, first }
}

/** How well an operation fits the requested action and records; negative if it does something else. */
export function fit({ action, about, of }: OperationSense, { actions, records: named, first }: RequestWords): number {
  const byAction = actions.size === 0 ? 0 : actions.has(action) ? 6 : -3
  if (named.size === 0) return byAction
  return (
    byAction +
    recordFit(about, action, { actions, records: named, first }) +
    of.reduce((sum, noun) => sum + (named.has(noun) ? 3 : -2), 0)
  )
}

/** How well the main record of an operation matches the named ones, above all the first. */
function recordFit(
  about: string | undefined,
  action: Action,
  { actions, records: named, first }: RequestWords,
): number {
  if (about === undefined) return 0
  if (about === 'record') return action === 'find' && actions.has('find') ? 11 : 3
  if (!named.has(about)) return -6
  return first.has(about) ? 11 : 8
}

/** Whether a word asks for an operation's action, or names one of its records. */
export const isMeantBy = (word: string, { action, about, of }: OperationSense): boolean =>
  (actionsByWord.get(word)?.has(action) ?? false) ||
  [about, ...of].some(record => record !== undefined && (recordsByWord.get(word)?.has(record) ?? false))
