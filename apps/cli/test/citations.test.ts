import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { citationsIn, followCitation } from './support/citations.ts'
import { markdownPage } from './support/markdown-page.ts'
import { commentsOf, stringsOf } from './support/source-texts.ts'

const root = new URL('../../../', import.meta.url).pathname
const contract = join(root, 'docs/contract')

/** The pages that comments cite, by name. */
const pages = new Map(
  globSync('*.md', { cwd: contract })
    .filter(file => file !== 'README.md')
    .map(file => [file.slice(0, -'.md'.length), markdownPage(readFileSync(join(contract, file), 'utf8'))] as const),
)

const sources = globSync('{packages,apps,tools}/**/*.{ts,tsx,js,mjs}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist*/**', '**/citations.test.ts'],
})

/** The name of a test cites a section of a page as a comment does; other strings may hold anything. */
const citesSection = new RegExp(String.raw`\((?:${[...pages.keys()].join('|')}) (?:\d|[A-Z]\.)`)

/** The citations in the comments and test names of a source, with their lines. */
const citationsOf = (source: string) =>
  [...commentsOf(source), ...stringsOf(source).filter(({ text }) => citesSection.test(text))].flatMap(
    ({ line, text }) => citationsIn(text, pages).map(citation => ({ line, citation })),
  )

type Cited = ReturnType<typeof citationsOf>

/** One line for each faulty citation. */
const faultsIn = (cited: Cited): string[] =>
  cited.flatMap(({ line, citation }) =>
    followCitation(citation, pages).map(fault => `${line}: (${citation}): ${fault}`),
  )

const faultsOf = (source: string): string[] => faultsIn(citationsOf(source))

test('every citation leads to a section of the contract', () => {
  const cited = sources.map(file => [file, citationsOf(readFileSync(join(root, file), 'utf8'))] as const)
  expect(cited.flatMap(([file, citations]) => faultsIn(citations).map(fault => `${file}:${fault}`))).toEqual([])
  expect(cited.flatMap(([, citations]) => citations).length).toBeGreaterThan(400)
})

test('no page of the contract has two sections with the same number', () => {
  for (const { headings } of pages.values()) {
    const numbers = headings.flatMap(({ number }) => number ?? [])
    expect(numbers).toEqual([...new Set(numbers)])
  }
})

test.each([
  '(cards 4.2)',
  '(insight A.3)',
  '(mcp 15)',
  '(general, Wire)',
  '(general, Errors, 409 codes)',
  '(specs)',
  '(ideation, specs)',
  '(cards 4.2, 4.5, access 6)',
  '(mcp 9.1-9.3)',
  '(cards 3.1, rule 5)',
  '(access 2.2, step 1)',
  '(mcp 15: 100 a second, burst 400)',
])('%s can be followed', citation => {
  const source = `/** A rule ${citation}. */`
  expect(faultsOf(source)).toEqual([])
  expect(citationsOf(source)).toHaveLength(1)
})

test.each([
  ['// the gates (cards 4.77)', '1: (cards 4.77): cards has no section 4.77'],
  ['// (sprints 1.4)', '1: (sprints 1.4): sprints is not a page'],
  ["test('what a board holds (access 77)', run)", '1: (access 77): access has no section 77'],
  ['// (cards 4.2, access 99)', '1: (cards 4.2, access 99): access has no section 99'],
  [
    '// (cards 4.2, sprints 1)',
    '1: (cards 4.2, sprints 1): "sprints 1" is neither a section number nor a heading of cards',
  ],
  ['// (mcp 9.1-9.9)', '1: (mcp 9.1-9.9): mcp has no section 9.9'],
  ['// (cards 3.1, rule 50)', '1: (cards 3.1, rule 50): cards 3.1 has no rule 50'],
  ['// (general, Wires)', '1: (general, Wires): "Wires" is neither a section number nor a heading of general'],
  ['// (cards section 4)', '1: (cards section 4): "section 4" is neither a section number nor a heading of cards'],
  ['// (cards §4.2)', '1: (cards §4.2): "§4.2" is neither a section number nor a heading of cards'],
  ['// (cards of a board)', '1: (cards of a board): "of a board" is neither a section number nor a heading of cards'],
  ['\n// by the rules\n// of cards 3.99, in order', '2: (cards 3.99): cards has no section 3.99'],
  [
    '/**\n * What follows (knowledge-graph\n * 44.1).\n */',
    '1: (knowledge-graph 44.1): knowledge-graph has no section 44.1',
  ],
  ["const text = '// no comment'; // (specs 77)", '1: (specs 77): specs has no section 77'],
])('%j is reported', (source, fault) => {
  expect(faultsOf(source)).toEqual([fault])
})

test('code and strings are not citations', () => {
  expect(citationsOf("call(cards, index, '(cards, boards)', /(cards 97)/)")).toEqual([])
})
