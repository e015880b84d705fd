import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isNode, type SyntaxNode, syntaxOfSources } from './support/syntax.ts'

const root = new URL('../../../', import.meta.url).pathname

interface Line {
  readonly file: string
  readonly number: number
  readonly text: string
  readonly before: string
}

const isComment = (text: string): boolean => /^\s*(?:\/\/|\/?\*)/.test(text)

/** Every line of code of the repository; comments alone are left out. */
const lines: readonly Line[] = globSync('{packages,apps,tools}/**/*.ts', {
  cwd: root,
  exclude: name => name.endsWith('node_modules'),
}).flatMap(file =>
  readFileSync(root + file, 'utf8')
    .split('\n')
    .map((text, index, all) => ({ file, number: index + 1, text, before: all[index - 1] ?? '' }))
    .filter(({ text }) => !isComment(text)),
)

/** The lines that cast to a type; the pattern is put together, so that this file is not among them. */
const castsTo = (type: string): readonly Line[] => {
  const cast = new RegExp(`\\bas ${type}\\b`)
  return lines.filter(({ text }) => cast.test(text))
}

const places = (found: readonly Line[]): string[] => found.map(({ file, number }) => `${file}:${number}`)

/**
 * Files in which types meet what the compiler cannot follow: the contract's kernel, the engines, the domain's kernel.
 */
const kernels = /^packages\/(?:contract\/src\/[^/]+\.ts$|storage\/|domain\/src\/kernel\/)/

test('a cast to never has a comment that says why, and there are at most 12', () => {
  const casts = castsTo('never')
  expect(places(casts.filter(({ text, before }) => !text.includes('//') && !isComment(before)))).toEqual([])
  expect(casts.length).toBeLessThanOrEqual(12)
})

test('a cast by way of unknown stands in a kernel', () => {
  const casts = castsTo('unknown as')
  expect(casts.length).toBeGreaterThan(0)
  expect(places(casts.filter(({ file }) => !kernels.test(file)))).toEqual([])
})

test('a doc comment stands on what it describes, never on another comment', () => {
  const strays = globSync('{packages,apps,tools}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: name => name.endsWith('node_modules'),
  }).filter(file => /\*\/\n[ \t]*\/\*\*/.test(readFileSync(root + file, 'utf8')))
  expect(strays).toEqual([])
})

/** Words that say what was done with a value, or ask for it, and not what it is. */
const sayNothing = new Set([
  'asked',
  'begun',
  'gone',
  'held',
  'kept',
  'known',
  'made',
  'meant',
  'said',
  'taken',
  'told',
  'wanted',
  'what',
  'whose',
])

/** The names that a node gives to variables and parameters; a member of an object that keeps its name has none given. */
function namesGivenBy({ type, id, params, properties }: SyntaxNode): readonly string[] {
  const bindings = type === 'VariableDeclarator' ? [id] : type === 'ObjectPattern' ? renamedIn(properties) : params
  return (Array.isArray(bindings) ? bindings : [])
    .map(binding => (isNode(binding) && binding.type === 'AssignmentPattern' ? binding.left : binding))
    .flatMap(binding => (isNode(binding) && typeof binding.name === 'string' ? [binding.name] : []))
}

/** What the members of a pattern are called that it gives other names. */
const renamedIn = (properties: unknown): readonly unknown[] =>
  Array.isArray(properties) ? properties.filter(({ shorthand }) => !shorthand).map(({ value }) => value) : []

test('a variable is named by what it holds, not by what was done with it', () => {
  const hint = new RegExp(`\\b(?:${[...sayNothing].join('|')})\\b`)
  const unclear = syntaxOfSources(node => namesGivenBy(node).some(name => sayNothing.has(name)), hint)
  expect(Array.from(unclear, ({ place, text }) => `${place} ${text.slice(0, 60)}`)).toEqual([])
})

/** Whether a name is the code's own, not one that a caller could have chosen: a literal or a symbol. */
const isOwnName = (name: unknown): boolean =>
  isNode(name) &&
  (['Literal', 'PrivateIdentifier'].includes(name.type) ||
    (name.type === 'MemberExpression' && isNode(name.object) && name.object.name === 'Symbol'))

const looksAlongPrototypes = ({ type, operator, left }: SyntaxNode): boolean =>
  type === 'ForInStatement' || (type === 'BinaryExpression' && operator === 'in' && !isOwnName(left))

test('no name from outside is looked up along prototypes: Object.hasOwn and Object.keys do it (walls 2, rule 1)', () => {
  const found = [...syntaxOfSources(looksAlongPrototypes, /\bin\b/)]
  expect(found.map(({ place, text }) => `${place} ${text.split('\n')[0]}`)).toEqual([])
})

const isNamed = (callee: unknown, name: string): boolean => isNode(callee) && callee.name === name

/** The names of the files with which threads and processes start. */
const beginnings = [
  ...syntaxOfSources(({ type, callee }) => type === 'CallExpression' && isNamed(callee, 'siblingFile'), /siblingFile/),
]
  .map(({ text }) => /'([^']+)'\)$/.exec(text)?.[1] ?? text)
  // The code that shapes answers is loaded by a thread that has already started.
  .filter(name => name !== 'reduce-answer')

test('every thread and process begins without __proto__ (walls 2, rule 2)', () => {
  expect(beginnings.length).toBeGreaterThanOrEqual(7)
  const files = globSync(`packages/*/src/**/{${beginnings.join(',')}}.ts`, { cwd: root })
  expect(files.length).toBe(new Set(beginnings).size)
  const texts = files.map(file => [file, readFileSync(root + file, 'utf8')] as const)
  const without = texts.filter(
    ([, text]) => !/^import '(?:@specboard\/storage\/prototypes|\.\/prototypes\.ts)'$/m.test(text),
  )
  expect(without.map(([file]) => file)).toEqual([])
  expect(readFileSync(`${root}apps/cli/src/main.js`, 'utf8')).toContain(
    "Reflect.deleteProperty(Object.prototype, '__proto__')",
  )
})
