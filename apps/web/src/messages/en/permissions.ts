import { listed, number } from '../format.ts'
import { inLanguage } from '../language.ts'

/** Kinds of record whose name in a sentence differs from their name in permissions. */
const resources: Readonly<Partial<Record<string, string>>> = {
  ARCHITECTURE: 'designs',
  AUDIT: 'the audit log',
  CHANGES: 'changes in git',
  KG: 'the knowledge graph',
  LINEAGE: 'the lineage of records',
  QA: 'questions',
  REPORTS: 'test reports',
}

/** Permissions that would read badly if built from their names. */
const sayings: Readonly<Partial<Record<string, string>>> = {
  AGENTS_CREATE_CI: 'create keys for CI',
  AGENTS_GRANT: 'give access to boards',
  AGENTS_REGENERATE_KEY: 'create new keys',
  AGENTS_UPDATE_SELF: 'change its own agent',
  CARDS_CREATE_BUG: 'report bugs',
  CARDS_CREATE_SMALL: 'create small changes',
  CARDS_CREATE_TEST: 'create test cards',
  CARDS_DELETE_VALIDATION: 'delete validations of cards',
  CARDS_LINK_DEPENDENCIES: 'say which card waits for which',
  CARDS_LINK_TESTS: 'link tests to bugs',
  CARDS_MOVE_DONE_SMALL: 'move small changes to “done”',
  CARDS_MOVE_DONE_TEST: 'move test cards to “done”',
  CARDS_PROMOTE: 'turn cards into specs',
  CARDS_WAIVE: 'waive gates of cards',
  COMMENTS_CREATE_CHOICE: 'put choices in comments',
  COMMENTS_RESPOND: 'answer choices in comments',
  DISCOVERY_EXECUTE: 'run searches of the catalogue',
  DISCOVERY_READ: 'read the catalogue of searches',
  KG_ADMIN: 'manage the knowledge graph',
  KG_ADMIN_BACKFILL: 'fill the knowledge graph anew',
  KG_ADMIN_DELETE: 'empty the knowledge graph',
  KG_ADMIN_SETTINGS: 'change the settings of the knowledge graph',
  KG_AUDIT: 'see what changed the knowledge graph',
  QA_CREATE: 'ask questions',
  QA_CREATE_CHOICE: 'ask questions with choices',
  SPECS_LINK_CARDS: 'link cards to specs',
  SPECS_LINK_ITEMS: 'link cards to the items of specs',
  SPECS_LINK_SCENARIOS: 'link test cards to scenarios',
  SPECS_MAP_TESTS: 'say which test shows a scenario',
  SPECS_RECORD_RESULTS: 'record results of test scenarios',
  SPECS_UPDATE_COVERAGE_FLAGS: 'excuse specs from coverage',
  SPRINTS_ASSIGN: 'choose the cards of sprints',
  SPRINTS_UPDATE_COVERAGE_FLAGS: 'excuse sprints from coverage',
}

const wordsOf = (name: string): string => name.replaceAll('_', ' ').toLowerCase()

/** What may be done, in plain words: "move cards to “done”" (access 2.5). */
function saying(name: string): string {
  const [resource = '', action = '', ...rest] = name.split('_')
  const [noun, verb, part] = [resources[resource] ?? wordsOf(resource), action.toLowerCase(), wordsOf(rest.join('_'))]
  if (action === 'WRITE') return `change ${noun} in “${wordsOf(rest.slice(1).join('_'))}”`
  if (part === '') return `${verb} ${noun}`
  if (action === 'MOVE') return `${verb} ${noun} to “${part}”`
  return resource === 'QA' || resource === 'KNOWLEDGE' ? `${verb} ${noun} on ${part}` : `${verb} the ${part} of ${noun}`
}

/** Maximum number of holders that are named. */
const maxNamed = 5

const named = (names: readonly string[]): string =>
  listed(names.length > maxNamed ? [...names.slice(0, maxNamed), `${number(names.length - maxNamed)} more`] : names)

const mayWords = (name: string): string => sayings[name] ?? saying(name)

export const permissions = inLanguage('permissions', {
  may: mayWords,
  lacks: (name: string) => `You may not ${mayWords(name)} (${name})`,
  heldBy: (names: readonly string[]) => `Allowed for ${named(names)}`,
  heldByNobody: 'Nobody else on this board is allowed to',
  presets: (names: readonly string[]) => `Presets that allow it: ${named(names)}`,
})
