import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { markdownPage } from './support/markdown-page.ts'

const root = new URL('../../../', import.meta.url).pathname

const files = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root }),
]

const cache = new Map<string, ReadonlySet<string>>()

/** The anchors of a page; each page is read once. */
function anchorsOf(path: string): ReadonlySet<string> {
  const anchors =
    cache.get(path) ?? new Set(markdownPage(readFileSync(path, 'utf8')).headings.map(({ anchor }) => anchor))
  cache.set(path, anchors)
  return anchors
}

/** The links of a page that lead nowhere: to a missing file, or to a missing heading of a page. */
const brokenLinks = (file: string, text: string): string[] =>
  markdownPage(text).links.filter(link => {
    if (/^[a-z]+:/.test(link)) return false
    const [path, anchor] = link.split('#', 2) as [string, string?]
    const target = path === '' ? join(root, file) : join(root, dirname(file), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && !anchorsOf(target).has(anchor)
  })

test.each(files)('the links of %s lead somewhere', file => {
  expect(brokenLinks(file, readFileSync(join(root, file), 'utf8'))).toEqual([])
})

/** The pages that say in which files something is. */
const guides = ['AGENTS.md', 'docs/architecture.md', ...globSync('docs/decisions/*.md', { cwd: root })]

/** Every source, as a path from the root. */
const sources = globSync('{packages,apps,tools}/**/*.{ts,tsx,js}', {
  cwd: root,
  exclude: name => name.endsWith('node_modules'),
}).map(path => `/${path}`)

/** The sources that a page names in code, by the end of their paths. */
const namedSources = (text: string): string[] =>
  Array.from(text.matchAll(/`([\w./-]+\.(?:tsx?|js))`/g), ([, name]) => name!)

test.each(guides)('the sources that %s names are there', page => {
  const named = namedSources(readFileSync(join(root, page), 'utf8'))
  expect(named.filter(name => !sources.some(path => path.endsWith(`/${name}`)))).toEqual([])
})

test.each([
  'absent.md',
  'contract/absent.md#wire',
  'contract/general.md#absent',
  '#absent',
  '../packages/absent/src/mod.ts',
])('a link to %s is reported', link => {
  expect(brokenLinks('docs/architecture.md', `# Page\n\n[text](${link})`)).toEqual([link])
})
