/** The events of `go test -json` (evidence 2). */
import { z } from 'zod'
import { type CaseStatus, type Cases, firstText, partsOf, UnreadableReport } from './case.ts'

const Event = z.looseObject({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Elapsed: z.number().optional(),
  Output: z.string().optional(),
})

/** Whether a line is an event of a test run. */
export const isGoEvent = (value: unknown): boolean => {
  const { data } = Event.safeParse(value)
  return data !== undefined && (data.Package !== undefined || data.ImportPath !== undefined || data.Test !== undefined)
}

const ends: Readonly<Record<string, CaseStatus>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

/** Characters of output that are kept for a test. */
const keptOutput = 4_000

/** A test of a package, from its events. */
interface TestRun {
  status: CaseStatus | undefined
  elapsed: number | undefined
  output: string
}

/** A package. */
interface Package {
  readonly tests: Map<string, TestRun>
  isBegun: boolean
  end: CaseStatus | undefined
  output: string
}

/**
 * Reads the events of a run. The last end of a test counts; a test that started and did not end has failed.
 * @throws UnreadableReport
 */
export function readGo(text: string, cases: Cases): void {
  const packages = new Map<string, Package>()
  const lines = text.split('\n')
  let events = 0
  for (const [at, line] of lines.entries()) {
    // Other lines are build output.
    if (!line.startsWith('{')) continue
    take(packages, eventOf(line, at + 1, at === lines.length - 1))
    events++
  }
  if (events === 0) throw new UnreadableReport('unknown_format', 'It has no event of go test -json')
  for (const [name, found] of packages) addPackage(name, found, cases)
}

function eventOf(line: string, number: number, isLast: boolean): z.output<typeof Event> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new UnreadableReport(
      isLast ? 'cut' : 'malformed',
      isLast ? 'The last line ends early' : 'It is not JSON',
      number,
    )
  }
  const { data } = Event.safeParse(value)
  if (data === undefined) throw new UnreadableReport('malformed', 'It is not an event of go test', number)
  return data
}

function take(packages: Map<string, Package>, event: z.output<typeof Event>): void {
  // Build output has an import path, and its package ends with an event of its own.
  if (event.Package === undefined && event.Test === undefined && event.ImportPath !== undefined) return
  const name = event.Package ?? ''
  const found = packages.get(name) ?? { tests: new Map(), isBegun: false, end: undefined, output: '' }
  packages.set(name, found)
  const { Action, Test, Output = '' } = event
  if (Test === undefined) {
    if (Action === 'start') found.isBegun = true
    if (found.output.length < keptOutput) found.output += Output
    found.end = ends[Action] ?? found.end
    return
  }
  const run = found.tests.get(Test) ?? { status: undefined, elapsed: undefined, output: '' }
  found.tests.set(Test, run)
  if (Action === 'run') run.status = undefined
  if (run.output.length < keptOutput) run.output += Output
  const status = ends[Action]
  if (status === undefined) return
  run.status = status
  run.elapsed = event.Elapsed
}

function addPackage(name: string, { tests, isBegun, end, output }: Package, cases: Cases): void {
  const parents = new Set<string>()
  for (const test of tests.keys())
    for (let slash = test.indexOf('/'); slash !== -1; slash = test.indexOf('/', slash + 1))
      parents.add(test.slice(0, slash))
  let failed = 0
  for (const [test, { status = 'failed', elapsed, output }] of tests) {
    if (parents.has(test)) continue
    if (status === 'failed') failed++
    cases.add({
      parts: partsOf([name, ...test.split('/')]),
      suite: firstText(name),
      class: null,
      name: test,
      file: null,
      status,
      flaky: false,
      durationMs: elapsed === undefined || !(elapsed >= 0) ? null : Math.round(elapsed * 1_000),
      message: status === 'passed' ? null : firstText(output),
      tags: [],
    })
  }
  // It did not build, panicked, or started and did not end.
  if ((end === 'failed' || (isBegun && end === undefined)) && failed === 0)
    cases.add({
      parts: partsOf([name, '(package)']),
      suite: firstText(name),
      class: null,
      name: '(package)',
      file: null,
      status: 'failed',
      flaky: false,
      durationMs: null,
      message: firstText(output),
      tags: [],
    })
}
