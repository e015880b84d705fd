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

const known = new Map<string, ReadonlySet<string>>()

/** The anchors of a page; each page is read once. */
function anchorsOf(path: string): ReadonlySet<string> {
  const anchors =
    known.get(path) ?? new Set(markdownPage(readFileSync(path, 'utf8')).headings.map(({ anchor }) => anchor))
  known.set(path, anchors)
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

test.each([
  'absent.md',
  'contract/absent.md#wire',
  'contract/general.md#absent',
  '#absent',
  '../packages/absent/src/mod.ts',
])('a link to %s is reported', link => {
  expect(brokenLinks('docs/architecture.md', `# Page\n\n[text](${link})`)).toEqual([link])
})
