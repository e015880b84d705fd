import { z } from 'zod'
import { formOf } from './forms.ts'

/** The part of a request that has a fault. */
export type Target = 'path' | 'query' | 'body' | 'header'

/** One item of a 422 answer (general, Errors). */
export interface IssueItem {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
  readonly ctx?: Readonly<Record<string, unknown>>
  readonly input?: unknown
  /** For an unknown name, the one that was probably meant (crew 2.2). */
  readonly did_you_mean?: string
}

/**
 * Fields of an update that are longer than their schemas allow, which is refused unless the stored value is the same.
 */
export interface LongFields {
  /** The items of the 422. */
  readonly items: readonly IssueItem[]
  /** The values as sent, by field. */
  readonly sent: Readonly<Record<string, unknown>>
}

/** The items of a failed parse. Echoes inputs that are short and not secret. */
export function issueItems(
  target: Target,
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): IssueItem[] {
  return withoutSafeRange(issues.flatMap(unfolded)).map(issue => {
    const path = issue.path.map(step => (typeof step === 'symbol' ? String(step) : step))
    const input = valueAt(value, path)
    const { type, ctx } = judged(issue, target, schemaAt(schema, path), input)
    return {
      loc: [target, ...path.map(shownStep)],
      msg: type === 'missing' ? 'Field required' : issue.message,
      type,
      ...(ctx !== undefined && { ctx }),
      ...(echoes(input) && { input }),
    }
  })
}

/** Maximum number of characters of the input that an error repeats (walls 3, rule 2). */
const maxEchoLength = 200

const shownStep = (step: string | number): string | number =>
  typeof step === 'string' && step.length > maxEchoLength ? `${step.slice(0, maxEchoLength)}…` : step

/** Reports an integer that is outside both its field's range and the safe range once. */
const withoutSafeRange = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] =>
  issues.filter(
    issue =>
      !('note' in issue) ||
      !issues.some(other => other !== issue && other.code === issue.code && String(other.path) === String(issue.path)),
  )

/** The issues within the intended branch of a union: the one whose own type fits. */
export function unfolded(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  const branchIssues =
    issue.code === 'invalid_union'
      ? issue.errors.find(branch => branch.every(({ path }) => path.length > 0))
      : undefined
  if (branchIssues === undefined || branchIssues.length === 0) return [issue]
  return branchIssues.flatMap(inner => unfolded({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** One item for a fault that no schema can find. */
export const issueItem = (
  loc: readonly (string | number)[],
  type: string,
  msg: string,
  ctx?: Readonly<Record<string, unknown>>,
): IssueItem => ({
  loc: loc.map(shownStep),
  msg,
  type,
  ...(ctx !== undefined && { ctx }),
})

interface Judgement {
  readonly type: string
  readonly ctx?: Readonly<Record<string, unknown>>
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'string_type',
  boolean: 'bool_type',
  array: 'list_type',
  object: 'dict_type',
  record: 'dict_type',
  number: 'float_type',
  int: 'int_type',
}

function judged(issue: z.core.$ZodIssue, target: Target, schema: z.ZodType | undefined, input: unknown): Judgement {
  const required =
    input === undefined &&
    (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union')
  if (required) return { type: 'missing' }
  switch (issue.code) {
    case 'invalid_type':
      return { type: wrongType(issue.expected, target, schema, input) }
    case 'too_small':
    case 'too_big':
      return outOfRange(issue)
    case 'invalid_value':
      return { type: 'enum', ctx: { expected: issue.values } }
    case 'invalid_format':
      return { type: 'value_error', ctx: { format: formOf(issue.pattern) ?? issue.format } }
    case 'custom':
      return customOf(issue.params)
    default:
      return { type: 'value_error' }
  }
}

/** The type and context that one of our own checks reports. */
const ReportedIssue = z.object({ type: z.string(), ctx: z.record(z.string(), z.unknown()).optional() })

function customOf(params: unknown): Judgement {
  const { data } = ReportedIssue.safeParse(params)
  return data === undefined
    ? { type: 'value_error' }
    : { type: data.type, ...(data.ctx !== undefined && { ctx: data.ctx }) }
}

function wrongType(expected: string, target: Target, schema: z.ZodType | undefined, input: unknown): string {
  const int = expected === 'int' || (expected === 'number' && isInt(schema))
  const text = typeof input === 'string' && target !== 'body'
  if (int) return text ? 'int_parsing' : 'int_type'
  if (text && expected === 'number') return 'float_parsing'
  if (text && expected === 'boolean') return 'bool_parsing'
  return typeNames[expected] ?? 'value_error'
}

function outOfRange(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): Judgement {
  const small = issue.code === 'too_small'
  const limit = Number(small ? issue.minimum : issue.maximum)
  if (issue.origin === 'string')
    return small
      ? { type: 'string_too_short', ctx: { min_length: limit } }
      : { type: 'string_too_long', ctx: { max_length: limit } }
  if (issue.origin === 'array')
    return small ? { type: 'too_short', ctx: { min_length: limit } } : { type: 'too_long', ctx: { max_length: limit } }
  if (issue.inclusive === false)
    return small ? { type: 'greater_than', ctx: { gt: limit } } : { type: 'less_than', ctx: { lt: limit } }
  return small ? { type: 'greater_than_equal', ctx: { ge: limit } } : { type: 'less_than_equal', ctx: { le: limit } }
}

/** A schema without its wrappers for optional, nullable and default. */
export function bare(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodExactOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault
  ) {
    inner = inner.unwrap() as z.ZodType
  }
  return inner
}

/** Whether a schema accepts only integers. */
export function isInt(schema: z.ZodType | undefined): boolean {
  if (schema === undefined) return false
  const inner = bare(schema)
  return inner instanceof z.ZodNumber && inner.format !== null && inner.format.includes('int')
}

function schemaAt(schema: z.ZodType, path: readonly (string | number)[]): z.ZodType | undefined {
  let at: z.ZodType | undefined = bare(schema)
  for (const step of path) {
    if (at instanceof z.ZodObject) at = at.shape[step] as z.ZodType | undefined
    else if (at instanceof z.ZodArray) at = at.element as z.ZodType
    else if (at instanceof z.ZodRecord) at = at.valueType as z.ZodType
    else return undefined
    at = at === undefined ? undefined : bare(at)
  }
  return at
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value
  for (const step of path)
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined
  return at
}

const echoes = (input: unknown): boolean =>
  (typeof input === 'string' && input.length <= maxEchoLength && !input.includes('dash_')) ||
  typeof input === 'number' ||
  typeof input === 'boolean' ||
  input === null
