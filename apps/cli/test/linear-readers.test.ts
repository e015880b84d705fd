/** Public readers on a megabyte that their own grammar makes hard: work that grows with its square would take minutes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { atOnce, jsonFault, maskKeys } from '../../../packages/contract/src/mod.ts'
import { unsafeWord } from '../../../packages/cypher/src/tokens.ts'
import { Zip } from '../../../packages/domain/src/exchange/import/zip.ts'
import { bulletsUnder, sentences } from '../../../packages/domain/src/graph/text/sections.ts'
import { slugOf, technologiesIn } from '../../../packages/domain/src/graph/text/technologies.ts'
import { excerptOf } from '../../../packages/domain/src/insight/search/excerpt.ts'
import { titleKey, tokensOf, wordsOfQuery } from '../../../packages/domain/src/insight/search/words.ts'
import { critiqueOfDraft } from '../../../packages/domain/src/planning/architecture/critique/critique.ts'
import { headerOf, rowsBelow } from '../../../packages/importers/src/csv/table.ts'
import { frontMatter, listItems, sectionsOf } from '../../../packages/importers/src/markdown.ts'
import { momentOf, namesZone } from '../../../packages/importers/src/moments.ts'
import { specificationIn } from '../../../packages/importers/src/spec-kit/specification.ts'
import { taskListIn } from '../../../packages/importers/src/task-lists/task-list.ts'
import { Mapping } from '../../../packages/importers/src/words/mapping.ts'
import { preferredEncoding } from '../../http/src/compressed.ts'
import { findPart } from '../../http/src/multipart.ts'
import { badBase64At } from '../../mcp/src/calls/upload.ts'
import { fenced, plain } from '../../mcp/src/resources/quoting.ts'
import { pathsOf } from '../../mcp/src/tools/field-paths.ts'

/** Characters of an input. */
const size = 1_000_000

/** A hundred times what a busy machine may take for linear work; quadratic work takes an hour. */
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

const csv = (text: string) =>
  atOnce(
    rowsBelow(
      text,
      headerOf(text, () => true),
      null,
    ),
  )

/** Words, each of which is a prefix of all that follow. */
const beginnings = Array.from({ length: 1_400 }, (_, at) => 'a'.repeat(at + 1)).join(' ')

const diagram = (format: string, diagram_type: string, adapter_payload: unknown) => ({
  ...design({ id: 'e', name: 'E' }, 500),
  diagrams: [{ title: 'D', format, diagram_type, adapter_payload }],
})

const readers: readonly (readonly [name: string, read: () => unknown])[] = [
  ['Accept-Encoding of tabs', () => preferredEncoding(repeated('\t', 'x'))],
  ['Accept-Encoding of weights', () => preferredEncoding(repeated('gzip;q=0.5 ;'))],
  ['Accept-Encoding of many encodings', () => preferredEncoding(repeated('a;q=1,'))],
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
  ['a search of many words', () => wordsOfQuery(Array.from({ length: 150_000 }, (_, at) => `w${at}`).join(' '))],
  ['a search of words that begin others', () => wordsOfQuery(beginnings)],
  ['a search of blanks', () => wordsOfQuery(repeated(' ', 'x'))],
  ['words of one letter', () => tokensOf(repeated('s', 'es'))],
  ['a title of blanks', () => titleKey(repeated(' ', 'x'))],
  ['an excerpt of a text without the words', () => excerptOf(repeated('ab '), wordsOfQuery(beginnings.slice(-9_000)))],
  ['an excerpt of blanks', () => excerptOf(repeated(' ', 'x'), ['y'])],
  ['a diagram of Mermaid', () => critiqueOfDraft(diagram('mermaid', 'flowchart', repeated('a-->b;\n')))],
  ['a diagram of open quotes', () => critiqueOfDraft(diagram('mermaid', 'flowchart', repeated('["')))],
  [
    'a diagram of bound arrows',
    () =>
      critiqueOfDraft(
        diagram('excalidraw_json', 'other', {
          elements: Array.from({ length: 20_000 }, (_, at) => ({
            id: `${at}`,
            type: 'arrow',
            containerId: `${at - 1}`,
            startBinding: { elementId: `${at - 1}` },
            boundElements: [{ id: `${at + 1}` }],
            customData: { entity_id: 'e', interface_ids: ['x', 'y'] },
          })),
        }),
      ),
  ],
  ['a CSV of quotes', () => csv(`id,title\n${repeated('"')}`)],
  ['a CSV of open quotes', () => csv(`id,title\n${repeated('1,"a\n')}`)],
  ['a CSV of wrong quotes', () => csv(`id,title\n${repeated('1,"a"b\n')}`)],
  ['a CSV of delimiters', () => csv(`id,title\n${repeated(',')}`)],
  ['a CSV of line breaks', () => csv(repeated('\n', 'id,title'))],
  ['a mapping of signs', () => new Mapping(repeated('status.a=done,'))],
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

/** A file with these bytes, read as the directory of a zip. */
async function directoryOf(bytes: Buffer): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-zip-'))
  try {
    const path = join(folder, 'a.zip')
    writeFileSync(path, bytes)
    await (await Zip.open(path)).close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A zip whose directory has `count` entries, none of which has any content. */
function emptyEntries(count: number, nameOf: (at: number) => string): Buffer {
  const entries = Array.from({ length: count }, (_, at) => {
    const name = Buffer.from(nameOf(at))
    const header = Buffer.alloc(46)
    header.writeUInt32LE(0x02014b50)
    header.writeUInt16LE(name.length, 28)
    return Buffer.concat([header, name])
  })
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(directory.length, 12)
  return Buffer.concat([directory, end])
}

const partOf = (body: string) => findPart(Readable.from([Buffer.from(body)]), 'edge', () => undefined)

/** Readers that are asynchronous; if their work is more than linear, the test times out. */
const waiting: readonly (readonly [name: string, read: () => Promise<unknown>])[] = [
  ['a zip of ends', () => directoryOf(Buffer.from(repeated('PK\u0005\u0006')))],
  ['a zip of one name', () => directoryOf(emptyEntries(20_000, () => 'a'))],
  ['a zip of entries at one place', () => directoryOf(emptyEntries(20_000, at => `${at}`))],
  ['a zip of long names', () => directoryOf(emptyEntries(16, at => `${repeated('a/').slice(0, 65_000)}${at}`))],
  ['a form of nearly boundaries', () => partOf(`--edge\r\n${repeated('\r\n--edg')}`)],
  ['a form of boundaries', () => partOf(repeated('--edge\r\n'))],
  ['a form of headers', () => partOf(`--edge\r\n${repeated('a: b\r\n')}`)],
  ['a form of one header', () => partOf(`--edge\r\n${repeated('a')}`)],
]

test.each(waiting)('%s (walls 3, rule 1)', { timeout: abortAfterMs }, async (_, read) => {
  // Refused or not: what counts is that it ends.
  await read().catch(() => {})
})

test('work that grows with the square is aborted', { timeout: abortAfterMs }, () => {
  const text = repeated('=', 'x')
  const read = () => /=*$/.exec(text)
  expect(() => runInContext('read()', createContext({ read }), { timeout: 1_000 })).toThrow(/timed out/)
})
