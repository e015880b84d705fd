import { check } from 'recheck'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { longProofs } from './support/long-proofs.ts'
import { type SyntaxNode, syntaxOfSources } from './support/syntax.ts'

/** A regular expression. */
interface Expression {
  readonly pattern: string
  readonly flags: string
}

/** Stands for the value of a variable in a pattern, which is a word. */
const anyWord = 'x'

const Text = z.union([
  z.object({ type: z.literal('Literal'), value: z.string() }).transform(({ value }) => value),
  z
    .object({
      type: z.literal('TemplateLiteral'),
      quasis: z.array(z.object({ value: z.object({ cooked: z.string() }) })),
    })
    .transform(({ quasis }) => quasis.map(({ value }) => value.cooked).join(anyWord)),
  z
    .object({
      type: z.literal('TaggedTemplateExpression'),
      quasi: z.object({ quasis: z.array(z.object({ value: z.object({ raw: z.string() }) })) }),
    })
    .transform(({ quasi }) => quasi.quasis.map(({ value }) => value.raw).join(anyWord)),
])

const Written = z.object({ regex: z.object({ pattern: z.string(), flags: z.string() }) })
const Constructed = z.object({
  callee: z.object({ type: z.literal('Identifier'), name: z.literal('RegExp') }),
  arguments: z.array(z.unknown()),
})

const isExpression = (node: SyntaxNode): boolean =>
  (node.type === 'Literal' && 'regex' in node) ||
  (['NewExpression', 'CallExpression'].includes(node.type) && Constructed.safeParse(node).success)

/** The pattern and flags of an expression; each value within a template counts as a word. */
function expressionOf(node: SyntaxNode): Expression {
  const literal = Written.safeParse(node)
  if (literal.success) return literal.data.regex
  const [pattern, flags = ''] = z.array(Text).parse(Constructed.parse(node).arguments)
  return { pattern: pattern!, flags }
}

/** The different expressions of the sources, each with the places where it occurs. */
function expressionsOfSources(): Map<string, Expression & { readonly places: string[] }> {
  const expressions = new Map<string, Expression & { readonly places: string[] }>()
  for (const { node, place } of syntaxOfSources(isExpression)) {
    const expression = expressionOf(node)
    const key = `/${expression.pattern}/${expression.flags}`
    const entry = expressions.get(key) ?? { ...expression, places: [] }
    expressions.set(key, entry)
    entry.places.push(place)
  }
  return expressions
}

/**
 * The checker's verdict on an expression. Only its automaton is used, whose verdict is a proof and does not depend on a
 * clock.
 */
async function verdictOn({ pattern, flags }: Expression): Promise<string> {
  const verdict = await check(pattern, flags, { checker: 'automaton', timeout: null })
  if (verdict.status === 'safe') return 'linear'
  return verdict.status === 'vulnerable' ? verdict.complexity.summary : verdict.error.kind
}

test.each(['\\s+$', '=*$', '^(#{1,6})\\s+(.*?)\\s*$', '^(a+)+$'])(
  'the checker finds more than linear: %s',
  async pattern => {
    expect(await verdictOn({ pattern, flags: '' })).toMatch(/polynomial|exponential/)
  },
)

/** Expressions that this run does not prove again. */
const proven = new Set(process.env.SPECBOARD_TESTS === 'quick' ? longProofs.map(String) : [])

test('every regular expression takes linear time (walls 3, rule 1)', { timeout: 1_800_000 }, async () => {
  const expressions = expressionsOfSources()
  expect(expressions.size).toBeGreaterThan(250)
  const faults: string[] = []
  for (const [key, expression] of expressions) {
    if (proven.has(key)) continue
    const verdict = await verdictOn(expression)
    if (verdict !== 'linear') faults.push(`${key}: ${verdict} at ${expression.places}`)
  }
  expect(faults).toEqual([])
})
