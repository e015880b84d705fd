import { isReading, operationByName } from '@specboard/contract'
import { nearest, shownName } from '../nearest.ts'
import { complete, leanToolsets, metaTools, order, pageReader, personal, renamed, toolsets } from './toolsets.ts'

/** What a connection shows and allows (mcp 6). It only narrows what the key may do. */
export interface View {
  /** Names of tools in the fixed order, not yet filtered by the key's permissions. */
  readonly tools: readonly string[]
  /** Tools to which calls are refused. */
  readonly excluded: ReadonlySet<string>
  /** Whether it has only tools that read. */
  readonly readonly: boolean
  /** The one board that the view is bound to. */
  readonly boardId: string | undefined
  /** Whether tools have an output schema. */
  readonly outputSchemas: boolean
  /**
   * Whether answers are made for models: references and what the caller could not know (crew 8). Otherwise they are the
   * interface's.
   */
  readonly lean: boolean
  /** Whether the meta tools are listed. */
  readonly meta: boolean
  /**
   * Whether the person at the client confirms destructive calls (people 4); undefined if the view does not decide that.
   */
  readonly confirms: boolean | undefined
  /** Equal for views with the same lists. */
  readonly key: string
}

/** How a client asks for a view: the raw text of queries, headers, flags and variables. */
export interface ViewRequest {
  readonly toolsets?: string | undefined
  readonly tools?: string | undefined
  readonly exclude?: string | undefined
  readonly readonly?: string | undefined
  readonly boardId?: string | undefined
  readonly schemas?: string | undefined
  readonly answers?: string | undefined
  readonly confirm?: string | undefined
}

/** A request for a view that names something that does not exist; the message lists the valid names. */
export class ViewError extends Error {}

/** Tools that a view of one board leaves out: those that work across boards, and shares, agents and presets. */
const acrossBoards: readonly string[] = [
  'list_boards',
  'create_board',
  'create_board_share',
  'list_board_shares',
  'update_board_share',
  'delete_board_share',
  ...toolsets.agents!,
  ...toolsets.presets!,
]

const allTools: ReadonlySet<string> = new Set([...order, ...personal])

/** The current name of a tool, from its current or a former one; undefined when there is no such tool. */
export function toolNamed(name: string): string | undefined {
  if (allTools.has(name)) return name
  return Object.hasOwn(renamed, name) ? renamed[name] : undefined
}

/** Whether a tool only reads. */
export const readsOnly = (name: string): boolean => {
  const operation = operationByName.get(name)
  return operation === undefined ? name !== 'call_operation' && name !== 'run_operations' : isReading(operation)
}

/** Views by request: only a few are in use at a time, and each serves every request of its connections. */
const views = new Map<string, View>()

/** The maximum views cached. */
const keptViews = 200

/**
 * The view that a client asks for.
 * @throws ViewError naming the unknown toolset or tool, the valid names and the nearest match
 */
export function viewOf(request: ViewRequest, defaultToolsets: string): View {
  const { toolsets: sets, tools, exclude, readonly, boardId, schemas, answers, confirm } = request
  const key = [defaultToolsets, sets, tools, exclude, readonly, boardId, schemas, answers, confirm].join('\n')
  const cached = views.get(key)
  if (cached !== undefined) return cached
  const view = makeView(request, defaultToolsets)
  if (views.size >= keptViews) views.clear()
  views.set(key, view)
  return view
}

function makeView(request: ViewRequest, defaultToolsets: string): View {
  const only = toolNames('tools', request.tools)
  const sets = setNames(request.toolsets || (only.length > 0 ? '' : defaultToolsets))
  const boardId = request.boardId || undefined
  const readonly = request.readonly === '1' || request.readonly === 'true'
  const whole = sets.length === 1 && complete.has(sets[0]!) && only.length === 0
  const meta = !whole
  const beside = meta ? metaTools : sets[0] === 'all' ? [pageReader] : []
  const included = new Set([...sets.flatMap(set => toolsets[set]!), ...only, ...beside])
  const excluded = new Set([
    ...toolNames('exclude', request.exclude),
    ...(boardId === undefined ? [] : acrossBoards),
    // A view with a list of tools can call no others (walls 9); every other view can call all (mcp 6.3).
    ...(only.length === 0 ? [] : [...order, ...personal].filter(name => !included.has(name))),
  ])
  const tools = order.filter(name => included.has(name) && !excluded.has(name) && (!readonly || readsOnly(name)))
  const outputSchemas = request.schemas === 'output'
  const lean = isLean(request.answers, sets)
  return {
    tools,
    excluded,
    readonly,
    boardId,
    outputSchemas,
    lean,
    meta,
    confirms: isConfirming(request.confirm),
    key: JSON.stringify([tools, boardId !== undefined, outputSchemas, lean]),
  }
}

/** Whether answers use the lean form, by request or by the toolsets, all of which must be made for models (crew 8). */
function isLean(answers: string | undefined, sets: readonly string[]): boolean {
  if (answers === 'lean' || answers === 'whole') return answers === 'lean'
  if (answers) throw unknown('form of answers', answers, ['lean', 'whole'])
  return sets.length > 0 && sets.every(set => leanToolsets.has(set))
}

/** Whether a view requires confirmation of destructive calls; undefined if it does not say. */
function isConfirming(confirm: string | undefined): boolean | undefined {
  if (!confirm) return undefined
  if (confirm === 'destructive' || confirm === 'off') return confirm === 'destructive'
  throw unknown('confirmation', confirm, ['destructive', 'off'])
}

/** Whether a text is a comma-separated list of toolsets. */
export const isToolsets = (text: string): boolean => listed(text).every(name => Object.hasOwn(toolsets, name))

const listed = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

function setNames(text: string): string[] {
  return listed(text).map(name => {
    if (Object.hasOwn(toolsets, name)) return name
    throw unknown('toolset', name, Object.keys(toolsets))
  })
}

function toolNames(parameter: string, text: string | undefined): string[] {
  return listed(text).map(name => {
    const tool = toolNamed(name)
    if (tool !== undefined) return tool
    throw unknown(`tool in ${parameter}`, name, order)
  })
}

function unknown(kind: string, name: string, valid: readonly string[]): ViewError {
  const [suggestion] = nearest(name, valid, 1)
  return new ViewError(
    `Unknown ${kind} '${shownName(name)}'${suggestion === undefined ? '.' : `; did you mean '${suggestion}'?`} Valid names: ${valid.join(', ')}.`,
  )
}
