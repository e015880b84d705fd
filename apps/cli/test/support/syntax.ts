/** The sources of packages and apps as a parser sees them; tests and what they share are left out. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const root = new URL('../../../../', import.meta.url).pathname

/** A node of a syntax tree, by the names of ESTree. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** A node, and its place in the source. */
export interface Found {
  readonly node: SyntaxNode
  /** `file:line` */
  readonly place: string
  readonly text: string
}

/** Whether a member of a node is a node. */
export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** All nodes in a tree, the outer ones first. */
export function* nodesIn(value: unknown): Generator<SyntaxNode> {
  const stack = [value]
  while (stack.length > 0) {
    const next = stack.pop()
    if (!isObject(next)) continue
    if (isNode(next)) yield next
    stack.push(...Object.values(next).toReversed())
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Every node of every source that is wanted.
 * @param hint what a source with such a node contains; the others are not parsed
 */
export function* syntaxOfSources(matches: (node: SyntaxNode) => boolean, hint = /./): Generator<Found> {
  const files = globSync('{packages,apps}/*/{src,node,guide}/**/*.{ts,tsx,js}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.*', '**/*.testing.*'],
  })
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    if (!hint.test(text)) continue
    const lang = file.endsWith('.tsx') ? 'tsx' : 'ts'
    for (const node of nodesIn(parseAst(text, { lang }, file).body))
      if (matches(node)) {
        const line = text.slice(0, node.start).split('\n').length
        yield { node, place: `${file}:${line}`, text: text.slice(node.start, node.end) }
      }
  }
}
