/** TAP 13 and 14 (evidence 2). */
import { Parser } from 'tap-parser'
import { type Cases, firstText, partOf, partsOf, reportLimits, UnreadableReport } from './case.ts'

/** A line of TAP that may begin or belong to a subtest, with its indentation. */
const nested = /^( +)(?:ok\b|not ok\b|\d+\.\.\d|# Subtest)/

/** Spaces of one level. */
const indent = 4

/** Refuses deep nesting before parsing, because the parser takes quadratic time for each level. */
function checkDepth(text: string): void {
  let line = 0
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end
    line++
    if (text.startsWith(' ', at)) {
      const blanks = nested.exec(text.slice(at, Math.min(next, at + maxIndentLength)))?.[1]?.length ?? 0
      if (blanks > reportLimits.tapDepth * indent)
        throw new UnreadableReport('too_deep', `TAP has at most ${reportLimits.tapDepth} levels of subtests`, line)
    }
    at = next + 1
  }
}

const maxIndentLength = 4_096

/** A test point, as the parser returns it. */
interface Point {
  readonly ok: boolean
  readonly name: string
  readonly id: number
  readonly skip: boolean | string
  readonly todo: boolean | string
  readonly diag: unknown
  readonly time: number | null
}

/** The end of a test stream. */
interface StreamEnd {
  readonly count: number
  readonly bailout: boolean | string
  readonly failures: readonly { readonly tapError?: string | null }[]
}

type Event = readonly [string, ...unknown[]]

/**
 * Reads a TAP report.
 * @throws UnreadableReport
 */
export function readTap(text: string, cases: Cases): void {
  checkDepth(text)
  const events: readonly Event[] = Parser.parse(text)
  if (!events.some(([kind]) => streamParts.has(kind))) checkPlanned(text)
  walk(events, [], cases)
}

const streamParts: ReadonlySet<string> = new Set(['assert', 'child', 'bailout'])

/** Refuses a text without a test that plans none either: the parser makes up a plan for it. */
function checkPlanned(text: string): void {
  if (/^\d{1,9}\.\.\d/m.test(text)) return
  throw /^TAP version \d/m.test(text)
    ? new UnreadableReport('cut', 'It has no plan and no test')
    : new UnreadableReport('unknown_format', 'It has no line of TAP')
}

/** Adds the cases of a stream; returns how many it added, and how many of them failed. */
function walk(events: readonly Event[], outer: readonly string[], cases: Cases): { count: number; failed: number } {
  const before = cases.found.length
  let child: { readonly count: number; readonly failed: number } | undefined
  for (const [at, [kind, value]] of events.entries()) {
    if (kind === 'child') child = walk(value as readonly Event[], [...outer, nameOfChild(value, events, at)], cases)
    else if (kind === 'assert') {
      const point = value as Point
      // The point of a subtest repeats its cases; it adds information only if it failed although none of them did.
      const isParent = child !== undefined && child.count > 0
      const saysMore = isParent && child!.failed === 0 && statusOf(point) === 'failed'
      if (!isParent || saysMore) add(point, outer, cases)
      child = undefined
    } else if (kind === 'complete') end(value as StreamEnd, outer, cases)
  }
  const added = cases.found.slice(before)
  return { count: added.length, failed: added.filter(({ status }) => status === 'failed').length }
}

/** The name of a subtest: from its comment, otherwise from the point that closes it. */
function nameOfChild(value: unknown, events: readonly Event[], at: number): string {
  const comment = (value as readonly Event[]).find(([kind]) => kind === 'comment')?.[1]
  const named = typeof comment === 'string' ? /^#\s{0,9}Subtest:? ?(.*)/.exec(comment.trimStart())?.[1] : undefined
  const point = events.slice(at + 1, at + 9).find(([kind]) => kind === 'assert')?.[1] as Point | undefined
  return firstText(named, point?.name) ?? ''
}

const statusOf = ({ ok, skip, todo }: Point) =>
  skip !== false || todo !== false ? ('skipped' as const) : ok ? ('passed' as const) : ('failed' as const)

function add(point: Point, outer: readonly string[], cases: Cases): void {
  const name = firstText(partOf(point.name), `test ${point.id}`)!
  const status = statusOf(point)
  const reason = [point.skip, point.todo].find(word => typeof word === 'string')
  cases.add({
    parts: partsOf([...outer, name]),
    suite: firstText(partsOf(outer).join('::')),
    class: null,
    name,
    file: fileOf(point.diag),
    status,
    flaky: false,
    durationMs: typeof point.time === 'number' && point.time >= 0 ? Math.round(point.time) : null,
    message: status === 'failed' ? messageOf(point.diag) : typeof reason === 'string' ? reason : null,
    tags: [],
  })
}

const member = (value: unknown, ...names: readonly string[]): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const found = names.map(name => (value as Readonly<Record<string, unknown>>)[name])
  return firstText(...found.map(each => (typeof each === 'string' ? each : null)))
}

const fileOf = (diag: unknown): string | null => member(diag, 'file')

function messageOf(diag: unknown): string | null {
  const message = member(diag, 'message', 'error', 'diff', 'stack')
  return message ?? (typeof diag === 'object' && diag !== null ? JSON.stringify(diag).slice(0, 2_000) : null)
}

/** A stream with an unmet plan is an incomplete report; one that bailed out says so itself. */
function end({ bailout, failures }: StreamEnd, outer: readonly string[], cases: Cases): void {
  if (bailout !== false) {
    if (outer.length > 0) return
    const reason = typeof bailout === 'string' ? bailout : null
    const name = 'Bail out!'
    cases.add({
      parts: [name],
      suite: null,
      class: null,
      name,
      file: null,
      status: 'failed',
      flaky: false,
      durationMs: null,
      message: reason,
      tags: [],
    })
    return
  }
  const fault = failures.find(({ tapError }) => typeof tapError === 'string')?.tapError
  if (fault !== undefined) throw new UnreadableReport('cut', `The plan is not met: ${String(fault).slice(0, 100)}`)
}
