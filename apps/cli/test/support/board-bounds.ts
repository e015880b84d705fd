/**
 * Which tables a plan of PostgreSQL reads without naming a board: an engine that places rows by their board would have
 * to look for them everywhere.
 */
import type { Step } from './postgres-plans.ts'

const conditions = ['Index Cond', 'Recheck Cond', 'Filter', 'Hash Cond', 'Merge Cond', 'Join Filter'] as const

/** The primary keys of the tables whose rows are on a board. */
export type BoardTables = ReadonlyMap<string, readonly string[]>

const withBelow = (step: Step): Step[] => [step, ...step.Plans.flatMap(withBelow)]

/** A scan of a table whose rows are on a board. */
interface Scan {
  readonly table: string
  readonly alias: string
  /** The column with the board, as conditions name it. */
  readonly board: string
}

function scansIn(steps: readonly Step[], tables: BoardTables): Scan[] {
  return steps.flatMap(({ 'Node Type': type, 'Relation Name': table, Alias: alias }) =>
    type.endsWith('Scan') && table !== undefined && alias !== undefined && tables.has(table)
      ? [{ table, alias, board: `${alias}.${table === 'boards' ? 'id' : 'board_id'}` }]
      : [],
  )
}

/** The positions in a text that are outside its brackets and quotes. */
function* outside(text: string): Generator<number> {
  let depth = 0
  let isQuoted = false
  for (const [at, character] of [...text].entries()) {
    if (character === "'") isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '(' || character === '[') depth++
    else if (character === ')' || character === ']') depth--
    if (depth === 0) yield at
  }
}

/** A condition without the brackets around all of it. */
function unwrapped(text: string): string {
  if (!text.startsWith('(')) return text
  const [end] = outside(text)
  return end === text.length - 1 ? unwrapped(text.slice(1, -1)) : text
}

/** The parts of a condition that must all hold; empty for a condition that is an alternative. */
function partsOf(condition: string): string[] {
  const text = unwrapped(condition)
  const places = [...outside(text)]
  if (places.some(at => text.startsWith(' OR ', at))) return []
  const cuts = places.filter(at => text.startsWith(' AND ', at))
  if (cuts.length === 0) return [text]
  const starts = [0, ...cuts.map(at => at + ' AND '.length)]
  return starts.flatMap((start, index) => partsOf(text.slice(start, cuts[index])))
}

/** A side of a comparison without brackets and the cast to text, which may stand outside of them. */
const sideOf = (text: string): string => unwrapped(unwrapped(text.trim()).replace(/::text$/, ''))

/** What a plan compares for equality. */
class Equalities {
  readonly #of = new Map<string, Set<string>>()

  constructor(steps: readonly Step[]) {
    for (const step of steps)
      for (const name of conditions) for (const part of partsOf(step[name] ?? '')) this.#add(part)
  }

  #add(part: string): void {
    const at = part.indexOf(' = ')
    if (at < 0) return
    const [left, right] = [sideOf(part.slice(0, at)), sideOf(part.slice(at + ' = '.length))]
    this.of(left).add(right)
    this.of(right).add(left)
  }

  /** What a column is compared with. */
  of(column: string): Set<string> {
    const found = this.#of.get(column) ?? new Set()
    this.#of.set(column, found)
    return found
  }

  /** Everything that equals a column, itself included. */
  classOf(column: string): ReadonlySet<string> {
    const all = new Set([column])
    for (const member of all) for (const other of this.of(member)) all.add(other)
    return all
  }

  /** The columns of a table that are compared with something. */
  columnsOf(alias: string, isWith: (other: string) => boolean): string[] {
    return [...this.#of.entries()]
      .filter(([column, others]) => column.startsWith(`${alias}.`) && [...others].some(isWith))
      .map(([column]) => column.slice(alias.length + 1))
      .toSorted()
  }
}

const isList = (value: string): boolean => value.startsWith('ANY ')
const isGiven = (value: string): boolean => /^(?:\$\d+$|'|ANY )/.test(value)

/** The parts of a plan that others read from, by the name under which they do: a CTE, a subquery, a value read before. */
function innerParts(steps: readonly Step[]): ReadonlyMap<string, readonly Step[]> {
  const named = new Map<string, readonly Step[]>()
  for (const step of steps) {
    const [, kind, name] = /^(CTE|InitPlan \d+ \(returns) ([^)]+)/.exec(step['Subplan Name'] ?? '') ?? []
    if (kind === 'CTE') named.set(`CTE ${name}`, withBelow(step))
    else if (name !== undefined) for (const value of name.split(',')) named.set(value, withBelow(step))
  }
  for (const { Alias: alias = '', Plans, ...step } of steps) {
    const inner =
      step['Node Type'] === 'Subquery Scan' ? Plans.flatMap(withBelow) : named.get(`CTE ${step['CTE Name']}`)
    if (inner !== undefined) named.set(alias, inner)
    // Rows that the service hands over.
    if (/^(?:Function|Table Function|Values) Scan$/.test(step['Node Type'])) named.set(alias, [])
  }
  return named
}

/**
 * The tables that a statement reads without naming one board, or a list of boards, for them: each with how its rows are
 * found. A row that a select finds by its primary key determines the board of everything that is joined to it by its
 * board.
 */
export function unboundIn(plan: Step, tables: BoardTables): string[] {
  const steps = withBelow(plan)
  const scans = scansIn(steps, tables)
  const equalities = new Equalities(steps)
  const inner = innerParts(steps)
  const unbound = new Set<Scan>()
  const isFoundByKey = ({ table, alias }: Scan) =>
    tables
      .get(table)!
      .every(column => [...equalities.of(`${alias}.${column}`)].some(one => isGiven(one) && !isList(one)))
  const isBound = (value: string): boolean => {
    const part = inner.get(value) ?? inner.get(value.split('.')[0]!)
    if (part !== undefined)
      return scansIn(part, tables).every(({ alias }) => ![...unbound].some(one => one.alias === alias))
    return isGiven(value) || scans.some(scan => scan.board === value && isFoundByKey(scan))
  }
  // Parts of a plan count as bound until they prove not to be, because recursive ones read themselves.
  for (let before = -1; before < unbound.size; ) {
    before = unbound.size
    for (const scan of scans) if (![...equalities.classOf(scan.board)].some(isBound)) unbound.add(scan)
  }
  return [...new Set([...unbound].map(scan => shapeOf(scan, [...unbound], equalities)))].filter(shape => shape !== '')
}

/** How the rows of an unbound table are found; empty for one that is joined by its board to another one that is unbound. */
function shapeOf({ table, alias, board }: Scan, unbound: readonly Scan[], equalities: Equalities): string {
  const boundKeys = keysIn(equalities.columnsOf(alias, isGiven))
  const joined = unbound.filter(other => other.board !== board && equalities.classOf(board).has(other.board))
  if (boundKeys.length === 0 && joined.some(other => keysIn(equalities.columnsOf(other.alias, isGiven)).length > 0))
    return ''
  const keys = boundKeys.length > 0 ? boundKeys : keysIn(equalities.columnsOf(alias, () => true))
  return `${table} by ${keys.join(', ') || 'nothing'}`
}

/** The columns that identify the records, rather than their kind or state. */
const keysIn = (columns: readonly string[]): string[] =>
  columns.filter(column => column !== 'board_id' && /(?:^|_)(?:id|key|sha|name)$/.test(column))
