import {
  type AnyOperation,
  atOnce,
  freeJsonLimits,
  hasMoreKeys,
  type InPieces,
  type IssueItem,
  issueItem,
  issueItems,
  jsonFaultInPieces,
  leftOutMembers,
  type ParsedInput,
  parseInputInPieces,
  type UnknownMember,
  unknownGuards,
  unknownMembers,
} from '@specboard/contract'
import { nearest, shownName } from '../nearest.ts'
import { defaultLimit } from '../tools/additions.ts'
import { answersList } from '../tools/answers.ts'
import { type Argument, type ArgumentPlan, planOf } from '../tools/arguments.ts'
import { withItems } from './named-items.ts'
import { withFileList } from './sent-files.ts'
import { tolerant } from './tolerance.ts'

/** Arguments as a client sends them. */
export type Arguments = Readonly<Record<string, unknown>>

/** The tool's own arguments, besides the input of its operation. */
export interface ToolOptions {
  readonly fields?: string
  readonly full?: boolean
  readonly limit?: number
  readonly offset?: number
  readonly max_chars?: number
  readonly filename?: string
  readonly mime_type?: string
  readonly text?: string
  readonly content_base64?: string
  readonly ticket?: boolean
  readonly again?: boolean
  /** The place at which a truncated answer continues, and from which item, character or member. */
  readonly part?: string
  readonly part_offset?: number
  /** Clearable fields that were sent as null, which counts as not sent. */
  readonly nulls?: readonly string[]
}

/** One fault in the arguments; a wrong enum value carries the valid ones. */
export interface ArgumentIssue extends IssueItem {
  readonly expected?: unknown
}

/** A call that can run, or one item for each fault in its arguments. */
export type ReadCall = { readonly warnings: readonly string[] } & (
  | { readonly ok: true; readonly input: Extract<ParsedInput, { ok: true }>['input']; readonly options: ToolOptions }
  | { readonly ok: false; readonly items: readonly ArgumentIssue[] }
)

type Parts = Record<'path' | 'query' | 'tool', Record<string, unknown>> & { body: unknown }

/**
 * Reads the flattened arguments of a tool (mcp 8): puts each into all of its places, treats null as absent, repairs
 * common mistakes in values, clears the fields listed in `clear`, and ignores unknown names with a warning. The API's
 * own schemas validate the result; `loc` names the argument.
 */
export const readArguments = (operation: AnyOperation, args: Arguments): ReadCall =>
  atOnce(readArgumentsInPieces(operation, args))

/** Like `readArguments`, but in pieces, for arguments that may be large. */
export function* readArgumentsInPieces(operation: AnyOperation, rawArgs: Arguments): InPieces<ReadCall> {
  const excess = tooManyArguments(rawArgs)
  if (excess !== undefined) return { ok: false, items: [excess], warnings: [] }
  const plan = planOf(operation)
  const args = withItems(withFileList(operation, rawArgs), name => plan.arguments.has(name))
  const body = operation.body === undefined ? undefined : byName()
  const parts: Parts = { path: byName(), query: byName(), tool: byName(), body }
  const unknown: string[] = []
  const understood: [string, unknown][] = []
  for (const [name, sentValue] of Object.entries(args)) {
    if (typeof sentValue === 'string' && sentValue.length > largeText) yield
    const argument = plan.arguments.get(Object.hasOwn(operation.aliases, name) ? operation.aliases[name]! : name)
    const value =
      argument === undefined || isAbsent(argument, sentValue)
        ? sentValue
        : tolerant(argument, sentValue, !replaces(operation))
    understood.push([name, value])
    if (argument !== undefined) {
      if (!isAbsent(argument, sentValue)) put(parts, argument, name, value)
    } else if (plan.ownKeys) {
      put(parts, ownKey, name, value)
    } else {
      unknown.push(name)
    }
  }
  if (answersList(operation) && 'limit' in operation.query) parts.query.limit ??= defaultLimit
  if (operation.name === 'get_board_columns') parts.query.limit ??= cardsOfColumn
  if (plan.arguments.has('lists')) keepUnnamed(parts)
  const clearFaults = clear(parts, plan)
  const parsed = yield* parseInputInPieces(operation, { params: parts.path, query: parts.query, body: parts.body })
  const options = plan.tool.safeParse(parts.tool)
  const fault = yield* jsonFaultInPieces(Object.fromEntries(understood))
  const long = parsed.ok && parsed.input.long
  const longItems = long ? long.items.map(item => named(plan, item)) : []
  const others = [
    ...(fault === undefined ? [] : [issueItem(fault.path, 'value_error', fault.message)]),
    ...(parsed.ok ? [] : parsed.items.map(item => named(plan, item))),
    ...(options.success
      ? []
      : issueItems('body', plan.tool, options.error.issues, parts.tool).map(item => named(plan, item))),
    ...clearFaults,
    ...unknownGuards(operation, unknown, plan.arguments, name => [name]),
    ...unknownMembers(operation, parts.body).map(unknownInside),
    ...leftOutMembers(operation, Object.fromEntries(unknown.map(name => [name, args[name]])), name => [name]),
  ]
  const warnings = unknownArguments(unknown, [...plan.arguments.keys()])
  if (others.length > 0 || !parsed.ok) return { ok: false, items: unique([...others, ...longItems]), warnings }
  const input = long ? { ...parsed.input, long: { ...long, items: unique(longItems) } } : parsed.input
  const nulls = understood.flatMap(([name, value]) =>
    value === null && plan.arguments.get(name)?.clearable ? [name] : [],
  )
  return { ok: true, input, options: { ...(options.data as ToolOptions), nulls }, warnings }
}

/** Default number of cards in each column of a board (crew 1.7). */
const cardsOfColumn = 10

/** The size from which a text gets a turn of its own, because it may be JSON to parse, characters. */
const largeText = 16 << 10

/** The validation item for a call with more arguments than free JSON may have members. */
export const tooManyArguments = (args: Arguments): ArgumentIssue | undefined =>
  hasMoreKeys(args, freeJsonLimits.members)
    ? issueItem([], 'too_long', `must have at most ${freeJsonLimits.members} arguments`, {
        max_length: freeJsonLimits.members,
      })
    : undefined

/**
 * Whether an operation replaces the lists that it is sent: a single value for one of them is then a mistake (mcp 8.4).
 */
const replaces = ({ method }: AnyOperation): boolean => method === 'PATCH' || method === 'PUT'

/** An object without a prototype, for names chosen by callers (walls 2, rule 1). */
const byName = (): Record<string, unknown> => Object.create(null)

const isAbsent = (argument: Argument, value: unknown) =>
  value === undefined || (value === null && !(argument.required && argument.nullable))

/**
 * What a list leaves out is kept, unless the call says otherwise (crew 1.3): what a model sends back was often
 * truncated when it read it.
 */
function keepUnnamed({ body }: Parts): void {
  const fields = body as Record<string, unknown>
  fields.lists ??= 'merge'
}

/** The place of an undeclared key in a body that accepts any key. */
const ownKey: Pick<Argument, 'places'> = { places: [{ part: 'body', field: '' }] }

function put(parts: Parts, { places }: Pick<Argument, 'places'>, name: string, value: unknown): void {
  for (const { part, field } of places) {
    if (part === 'body' && field === null) parts.body = value
    else if (part === 'body') (parts.body as Record<string, unknown>)[name] = value
    else parts[part][field!] = value
  }
}

/** The validation item for an unknown member: a model that misspells one would lose its value (crew 1.6). */
function unknownInside({ loc, candidates }: UnknownMember): ArgumentIssue {
  const [suggestion] = nearest(String(loc.at(-1)), candidates, 1)
  const item = issueItem(
    loc,
    'unknown_member',
    suggestion === undefined ? 'is not known' : `is not known; did you mean ${suggestion}?`,
  )
  return suggestion === undefined ? item : { ...item, did_you_mean: suggestion }
}

/** The number of unknown arguments listed, each with what the caller probably meant. */
const maxWarnings = 20

/** The warnings about arguments that a tool does not have (mcp 8.6); after the first ones, their number. */
export function unknownArguments(names: readonly string[], candidates: readonly string[]): string[] {
  const warnings = names.slice(0, maxWarnings).map(name => unknownArgument(name, candidates))
  const others = names.length - warnings.length
  return others === 0 ? warnings : [...warnings, `${others} other unknown arguments ignored`]
}

function unknownArgument(name: string, candidates: readonly string[]): string {
  const [suggestion] = nearest(name, candidates, 1)
  return `unknown argument '${shownName(name)}' ignored${suggestion === undefined ? '' : `; did you mean '${suggestion}'?`}`
}

/**
 * Sets the fields listed in `clear` to null; returns a validation item for a name that is also set or cannot be
 * cleared.
 */
function clear({ tool, body }: Parts, plan: ArgumentPlan): ArgumentIssue[] {
  const names = tool.clear
  if (!plan.arguments.has('clear') || !Array.isArray(names)) return []
  const fields = body as Record<string, unknown>
  const clearable = [...plan.arguments.values()].filter(argument => argument.clearable).map(argument => argument.name)
  return names.flatMap((name, index): ArgumentIssue[] => {
    const loc = ['clear', index]
    if (!clearable.includes(name))
      return [{ ...issueItem(loc, 'enum', 'is not the name of a field that can be cleared'), expected: clearable }]
    if (fields[name] !== undefined && fields[name] !== null)
      return [issueItem(loc, 'value_error', `'${name}' is both set and cleared; send only one of the two`)]
    fields[name] = null
    return []
  })
}

/** An item whose `loc` names the argument instead of its place; the valid values of an enum once, as `expected` (crew 8.9). */
function named(plan: ArgumentPlan, { loc, ctx, ...item }: IssueItem): ArgumentIssue {
  const [part, ...path] = loc
  const whole = part === 'body' && [...plan.arguments.values()].find(({ places }) => places[0]!.field === null)
  const at = whole ? [whole.name, ...path] : path
  if (item.type === 'enum' && ctx?.expected !== undefined)
    return { loc: at, ...item, msg: 'is not one of the expected values', expected: ctx.expected }
  return {
    loc: at,
    ...item,
    ...(ctx !== undefined && { ctx }),
    ...(ctx?.expected !== undefined && { expected: ctx.expected }),
  }
}

const unique = (items: readonly ArgumentIssue[]): ArgumentIssue[] => [
  ...new Map(items.map(item => [JSON.stringify([item.loc, item.type]), item])).values(),
]
