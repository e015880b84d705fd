import { listed, number } from '../format.ts'
import { inLanguage } from '../language.ts'

/** Kinds of record whose name in a sentence differs from their name in permissions. */
const resources: Readonly<Partial<Record<string, string>>> = { KG: 'the knowledge graph', QA: 'questions' }

/** Permissions that would read badly if built from their names. */
const sayings: Readonly<Partial<Record<string, string>>> = {
  AGENTS_GRANT: 'give access to boards',
  AGENTS_REGENERATE_KEY: 'make new keys',
  AGENTS_UPDATE_SELF: 'change its own agent',
  CARDS_DELETE_VALIDATION: 'delete validations of cards',
  COMMENTS_CREATE_CHOICE: 'put choices in comments',
  COMMENTS_RESPOND: 'answer choices in comments',
  QA_CREATE: 'ask questions',
  QA_CREATE_CHOICE: 'ask questions with choices',
  SPECS_RECORD_RESULTS: 'record results of test scenarios',
  SPRINTS_ASSIGN: 'choose the cards of sprints',
}

const wordsOf = (name: string): string => name.replaceAll('_', ' ').toLowerCase()

/** A permission in plain words: "move cards (done)". */
function saying(name: string): string {
  const [resource = '', ...action] = name.split('_')
  const what = resources[resource] ?? wordsOf(resource)
  const [verb = '', ...part] = action
  if (verb === 'WRITE') return `change ${what} in the status ${wordsOf(part.slice(1).join('_'))}`
  return `${verb.toLowerCase()} ${what}${part.length === 0 ? '' : ` (${part.join(' ').toLowerCase()})`}`
}

/** Up to this many holders are named. */
const mostNamed = 5

const named = (names: readonly string[]): string =>
  listed(names.length > mostNamed ? [...names.slice(0, mostNamed), `${number(names.length - mostNamed)} more`] : names)

export const permissions = inLanguage('permissions', {
  lacks: (name: string) => `You may not ${sayings[name] ?? saying(name)} (${name})`,
  heldBy: (names: readonly string[]) => `Allowed for ${named(names)}`,
  heldByNobody: 'Nobody else on this board is allowed to',
  presets: (names: readonly string[]) => `Presets that allow it: ${named(names)}`,
})
