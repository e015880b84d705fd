import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { isNode, nodesIn, type SyntaxNode } from '../../cli/test/support/syntax.ts'

const sources = join(import.meta.dirname, '../src')

/** The attributes of an element that a person reads or hears, in addition to its contents. */
const read = new Set(['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'label', 'placeholder', 'title'])

/** Words that are the same in every language: names of keys, units and products, and examples of what is typed. */
const neutral = new Set(['Ctrl', 'Enter', 'Esc', 'Escape', 'Shift', 'Space', 'Specboard', 'main', 'https://'])

/** Whether somebody reads words in it: signs and numbers are the same everywhere. */
const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text.replaceAll(/&\w+;/g, '')) && !neutral.has(text.trim())

const textOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string'
    ? node.value
    : isNode(node) && node.type === 'TemplateLiteral' && Array.isArray(node.quasis)
      ? node.quasis.map(({ value }) => value.cooked).join(' ')
      : undefined

/** The values that an expression may have, as far as they are written in it. */
function* valuesOf(node: unknown): Generator<unknown> {
  if (!isNode(node)) return
  if (node.type === 'JSXExpressionContainer') yield* valuesOf(node.expression)
  else if (node.type === 'ConditionalExpression') {
    yield* valuesOf(node.consequent)
    yield* valuesOf(node.alternate)
  } else if (node.type === 'LogicalExpression') yield* valuesOf(node.right)
  else yield node
}

/** The words in a piece of a page that are shown and do not come from the messages. */
function* wordsIn(node: SyntaxNode): Generator<string> {
  if (node.type === 'JSXText') yield String(node.value)
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    for (const child of node.children as readonly unknown[])
      if (isNode(child) && child.type === 'JSXExpressionContainer')
        for (const value of valuesOf(child)) yield textOf(value) ?? ''
  if (node.type === 'JSXAttribute' && isNode(node.name) && read.has(String(node.name.name)))
    for (const value of valuesOf(node.value)) yield textOf(value) ?? ''
}

test('what a page shows comes from its messages, so that it is there in every language', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    // The page of components is for whoever works on them.
    .filter(name => name.endsWith('.tsx') && !name.startsWith('pages/design/'))
  const found = files.flatMap(name => {
    const text = readFileSync(join(sources, name), 'utf8')
    return [...nodesIn(parseAst(text, { lang: 'tsx' }, name).body)].flatMap(node =>
      [...wordsIn(node)].filter(hasWords).map(words => `${name}: ${words.trim()}`),
    )
  })
  expect(found).toEqual([])
})

/** The name under which each file of a language exports its texts. */
const namesIn = (language: string): ReadonlyMap<string, string> => {
  const folder = join(sources, 'messages', language)
  return new Map(
    readdirSync(folder).flatMap(file => {
      const [, name, section] =
        /^export const (\w+)(?:: Messages\['| = inLanguage\(')(\w+)/m.exec(readFileSync(join(folder, file), 'utf8')) ??
        []
      return name === undefined || name !== section ? [] : [[file, name] as const]
    }),
  )
}

test('every page has its texts in German, under the same name', () => {
  const english = namesIn('en')
  expect(english.size).toBe(readdirSync(join(sources, 'messages/en')).length)
  expect(namesIn('de')).toEqual(english)
})

test('no German text is left in English', () => {
  const literals = (language: string, file: string) =>
    [...readFileSync(join(sources, 'messages', language, file), 'utf8').matchAll(/: '([^'\n]+)',?$/gm)].map(
      ([, text]) => text!,
    )
  // Sentences are the same in both languages only by mistake; names and single words may be.
  const same = [...namesIn('en').keys()].flatMap(file => {
    const english = new Set(literals('en', file))
    return literals('de', file).filter(text => english.has(text) && text.split(' ').length > 3)
  })
  expect(same.filter(text => !/^(?:npx|CSV|\[)/.test(text))).toEqual([])
})
