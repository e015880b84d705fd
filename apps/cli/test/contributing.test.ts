import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** CONTRIBUTING.md leads through a real operation: what it names and quotes is there. */
const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8')
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

interface Block {
  readonly language: string
  /** The file that is quoted; empty if it is not a quotation. */
  readonly file: string
  readonly text: string
}

const blocks = [...page.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(
  ([, language = '', file = '', text = '']): Block => ({ language, file, text }),
)
const code = [...page.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(match => match[1]!)

const isPath = (text: string) => /^(?:packages|apps|tools|docs)(?:\/[\w.-]+)+$|^[A-Z]+\.md$/.test(text)
const layout = blocks.find(({ language, file }) => language === 'text' && file === '')!
const paths = [
  ...layout.text
    .trimEnd()
    .split('\n')
    .map(line => line.split(' ')[0]!),
  ...code.filter(isPath),
]

test.each([...new Set(paths)])('%s exists', path => {
  expect(existsSync(new URL(path, root))).toBe(true)
})

describe('a quotation stands in its file', () => {
  const quoted = blocks.filter(({ file }) => file !== '')

  test.each(quoted.map(({ file, text }) => [file, text] as const))('%s', (file, text) => {
    const source = readFileSync(new URL(file, root), 'utf8')
    for (const part of text.split('…\n')) expect(source).toContain(part)
  })

  test('and there are some', () => {
    expect(quoted.length).toBeGreaterThan(5)
  })
})

const commands = [
  ...blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trimEnd().split('\n')),
  ...code.filter(text => text.startsWith('pnpm ')),
]

/** The test files by their path within their package, in which an argument of `pnpm test` is looked up. */
const testFiles = ['packages', 'apps'].flatMap(group =>
  readdirSync(new URL(group, root), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map(file => file.slice(file.indexOf('/') + 1)),
)

const isFound = (word: string) =>
  existsSync(new URL(word, root)) || testFiles.some(file => file.toLowerCase().includes(word.toLowerCase()))

describe('a command can be run', () => {
  test.each([...new Set(commands)])('%s', command => {
    const [pnpm, ...words] = command.split(' ').filter(word => !/^[A-Z_]+=/.test(word))
    const [script = '', ...rest] = words[0] === 'run' ? words.slice(1) : words
    expect(pnpm).toBe('pnpm')
    expect(Object.keys(scripts)).toContain(script)
    if (script !== 'test') return
    const flag = rest.findIndex(word => word.startsWith('-'))
    expect((flag === -1 ? rest : rest.slice(0, flag)).filter(word => !isFound(word))).toEqual([])
  })
})

test('every script that checks is named', () => {
  const named = commands.join('\n')
  for (const script of Object.keys(scripts).filter(name => name.startsWith('check:'))) expect(named).toContain(script)
})
