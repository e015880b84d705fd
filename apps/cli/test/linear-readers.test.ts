/** Public readers on a megabyte that their own grammar makes hard: work that grows with its square would take minutes. */
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { jsonFault, maskKeys } from '../../../packages/contract/src/mod.ts'
import { unsafeWord } from '../../../packages/cypher/src/tokens.ts'
import { bulletsUnder, sentences } from '../../../packages/domain/src/graph/text/sections.ts'
import { slugOf, technologiesIn } from '../../../packages/domain/src/graph/text/technologies.ts'
import { critiqueOfDraft } from '../../../packages/domain/src/planning/architecture/critique/critique.ts'
import { frontMatter, listItems, sectionsOf } from '../../../packages/importers/src/markdown.ts'
import { momentOf, namesZone } from '../../../packages/importers/src/moments.ts'
import { specificationIn } from '../../../packages/importers/src/spec-kit/specification.ts'
import { taskListIn } from '../../../packages/importers/src/task-lists/task-list.ts'
import { encodingAsked } from '../../http/src/compressed.ts'
import { badBase64At } from '../../mcp/src/calls/upload.ts'
import { fenced, plain } from '../../mcp/src/resources/quoting.ts'
import { pathsOf } from '../../mcp/src/tools/field-paths.ts'

/** Characters of an input. */
const size = 1_000_000

/** What a busy machine may take for linear work, a hundred times over; a square of it takes an hour. */
const abortAfterMs = 60_000

const repeated = (unit: string, end = ''): string => unit.repeat(Math.ceil(size / unit.length)) + end

/** Runs a reader, and aborts it within its work. */
function aborted(read: () => unknown): void {
  runInContext('read()', createContext({ read }), { timeout: abortAfterMs })
}

const design = (part: Readonly<Record<string, unknown>>, count: number) => ({
  title: 'T',
  global_description: 'D',
  entities: Array.from({ length: count }, () => part),
  interfaces: [],
  diagrams: [
    { title: 'D', adapter_payload: { elements: Array.from({ length: 20_000 }, () => ({ linkedEntityId: 'x' })) } },
  ],
})

const lines = (text: string) => ({ lines: text.split('\n'), line: 1 })

const readers: readonly (readonly [name: string, read: () => unknown])[] = [
  ['Accept-Encoding of tabs', () => encodingAsked(repeated('\t', 'x'))],
  ['Accept-Encoding of weights', () => encodingAsked(repeated('gzip;q=0.5 ;'))],
  ['Accept-Encoding of many encodings', () => encodingAsked(repeated('a;q=1,'))],
  ['base64 of padding', () => badBase64At(repeated('=', 'x'))],
  ['base64 of line breaks', () => badBase64At(repeated('\n', '='))],
  ['paths of fields', () => pathsOf(repeated('a.b,'))],
  ['keys in a text', () => maskKeys(repeated('dash_0123456789abcdef'))],
  ['JSON of nested lists', () => jsonFault(JSON.parse(`${'['.repeat(size / 2)}${']'.repeat(size / 2)}`))],
  ['a fence of backticks', () => fenced(repeated('` '))],
  ['words of the service', () => plain(repeated('a', '!'))],
  ['Cypher of open comments', () => unsafeWord(repeated('/*').slice(0, 10_000))],
  [
    'bullets of blanks and line separators',
    () => bulletsUnder(`## Alternatives\n- ${repeated(' ', '\u2028')}`, 'Alternatives'),
  ],
  ['a heading of blanks', () => bulletsUnder(`##${repeated(' ', 'x')}`, 'Alternatives')],
  ['sentences of full stops', () => sentences(repeated('.', 'x'))],
  ['technologies that nearly are', () => technologiesIn(repeated('apache kafk '))],
  ['a slug of underscores', () => slugOf(repeated('_', 'x'))],
  ['a design of faulty elements', () => critiqueOfDraft(design({ technologies: Array(50).fill(1) }, 500))],
  ['a Markdown heading of blanks', () => sectionsOf(lines(`#${repeated(' ', 'x')}`), 6)],
  ['a Markdown heading of marks', () => sectionsOf(lines(`# ${repeated(' #', 'x')}`), 6)],
  ['Markdown fences that nothing closes', () => sectionsOf(lines(repeated('```a\n')), 6)],
  ['a Markdown item of line separators', () => listItems(lines(`- ${repeated(' ', '\u2028x')}`))],
  ['front matter that nothing closes', () => frontMatter({ name: 'a.md', text: `---\n${repeated('a\n')}` })],
  ['a time of parentheses', () => [momentOf(repeated('1Z (')), namesZone(repeated('1Z ('))]],
  ['a story of blanks', () => specificationIn([`## User Story 1${repeated(' ', '(Priority')}`])],
  ['a scenario of steps', () => specificationIn(['## User Story 1', `1. ${repeated('Given a When ')}`])],
  ['a task of marks', () => taskListIn([`- [ ] T1 ${repeated('[P] ', '\u2028')}`])],
]

test.each(readers)('%s (walls 3, rule 1)', { timeout: 2 * abortAfterMs }, (_, read) => {
  expect(() => aborted(read)).not.toThrow(/timed out/)
})

test('work that grows with the square is aborted', { timeout: abortAfterMs }, () => {
  const text = repeated('=', 'x')
  const read = () => /=*$/.exec(text)
  expect(() => runInContext('read()', createContext({ read }), { timeout: 1_000 })).toThrow(/timed out/)
})
