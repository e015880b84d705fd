/** Requests that no operation fulfils, and those that concern many records at once (crew 9.1). */

/** A known request that cannot be fulfilled, with what to do instead. */
interface Wish {
  readonly instead: string
  readonly nearest: readonly string[]
  readonly fits: (words: ReadonlySet<string>) => boolean
}

const some = (words: ReadonlySet<string>, ...any: readonly string[]): boolean => any.some(word => words.has(word))

const ofWork = ['card', 'ticket', 'task', 'issue', 'bug', 'spec', 'idea', 'ideation', 'this', 'duplicate']

const wishes: readonly Wish[] = [
  {
    instead: 'There are no reminders. Set due_date with update_card; list_cards with overdue finds what is late.',
    nearest: ['update_card', 'list_cards'],
    fits: words => some(words, 'remind', 'reminder', 'alarm', 'snooze'),
  },
  {
    instead:
      'Time is not tracked. list_card_activity says when a card moved, get_cycle_time_analytics how long work takes.',
    nearest: ['list_card_activity', 'get_cycle_time_analytics'],
    fits: words =>
      some(words, 'timer', 'timesheet', 'stopwatch') ||
      (some(words, 'time', 'hour', 'minute') && some(words, 'track', 'log', 'spent', 'spend', 'book')),
  },
  {
    instead: 'Cards are not merged. Move one to cancelled and name the other in a comment.',
    nearest: ['move_card', 'create_comment'],
    fits: words => some(words, 'merge', 'combine') && some(words, ...ofWork),
  },
  {
    instead: 'Cards are not copied. Read one with get_card and create another with its fields.',
    nearest: ['get_card', 'create_card'],
    fits: words => some(words, 'copy', 'duplicate', 'clone') && some(words, 'card', 'ticket', 'task', 'issue', 'bug'),
  },
]

/** The known request in some words; undefined for any other. */
export const wishIn = (words: readonly string[]): Wish | undefined => {
  const wordSet = new Set(words)
  return wishes.find(({ fits }) => fits(wordSet))
}

const many: ReadonlySet<string> = new Set([
  'bulk',
  'batch',
  'several',
  'every',
  'each',
  'many',
  'multiple',
  'all',
  'once',
])

/** Verbs for which a request about many records needs one call per record. */
const changing: ReadonlySet<string> = new Set(
  'move close label update change edit set assign archive delete cancel create add rename validate approve finish'.split(
    ' ',
  ),
)

/** Whether a request asks to change many records at once. */
export const isBulk = (words: readonly string[]): boolean =>
  words.some(word => many.has(word)) && words.some(word => changing.has(word))

/** The words of requests for work that needs no plan, and the other words that such a request may contain. */
const plainWork: readonly (readonly string[])[] = [
  ['small', 'change'],
  ['quick', 'task'],
  ['report', 'bug'],
  ['file', 'bug'],
  ['typo'],
  ['chore'],
  ['todo'],
]
const besidePlainWork: ReadonlySet<string> = new Set(
  'a an the to do i want need please new small little tiny minor quick add create make start open write fix change task card bug one'.split(
    ' ',
  ),
)

/** Whether a request is to file work that needs no plan: the light path of create_card (crew 6.8). */
export const isPlainWork = (words: readonly string[]): boolean =>
  plainWork.some(
    wish =>
      wish.every(word => words.includes(word)) && words.every(word => wish.includes(word) || besidePlainWork.has(word)),
  )
