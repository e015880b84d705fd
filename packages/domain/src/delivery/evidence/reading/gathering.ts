/** Prepares the contents of a report, so that storing it needs no more parsing (evidence 2, 3). Runs in a thread. */
import { createHash } from 'node:crypto'
import { maskKeys } from '@specboard/contract'
import { OversizedText, type ReportedCase, reportLimits, UnreadableReport } from '@specboard/importers'
import { readReport } from '@specboard/importers/reports'
import type { ReportFile } from '../../../schema/contents.ts'
import {
  type caseColumns,
  maxShown,
  type NotTaken,
  type ReadingRequest,
  type ReportSummary,
  type ScenarioTests,
  type Totals,
} from './gathered.ts'
import { endsOf, readyPattern } from './matching.ts'
import { type NamedSpec, Names } from './naming.ts'
import { withSpelledOut } from './spelled-out.ts'
import { OversizedReport, unpacked } from './unpacked.ts'
import { WildPatterns } from './wild-patterns.ts'

/** Cases in one list of rows. */
const casesOfAList = 1_000

const maxMessageLength = 2_000
const maxAddressLength = 4_000
const shownCases = 5

type Status = ReportedCase['status']

/** A case of a report, once for each address. */
interface Gathering extends Omit<ReportedCase, 'parts'> {
  readonly address: string
}

const severity: Readonly<Record<Status, number>> = { passed: 0, skipped: 1, failed: 2 }

/** Reads the files of a report. */
export function gather(
  request: ReadingRequest,
): { readonly ok: true; readonly gathered: ReportSummary } | { readonly ok: false; readonly refused: NotTaken } {
  const files: ReportFile[] = []
  const byAddress = new Map<string, Gathering>()
  let room: number = reportLimits.cases
  let bytesLeft: number = reportLimits.unpackedBytes
  for (const { name, bytes } of request.files) {
    const displayName = withSpelledOut(name)
    try {
      const content = unpacked(bytes, bytesLeft)
      bytesLeft -= content.length
      const { format, cases } = readReport(content, request.format, room)
      room -= cases.length
      const sha256 = createHash('sha256').update(content).digest('hex')
      files.push({ name: displayName, format, size: content.length, sha256, cases: cases.length })
      for (const found of cases) take(byAddress, found)
    } catch (error) {
      if (error instanceof OversizedReport) return { ok: false, refused: { maxBytes: reportLimits.unpackedBytes } }
      if (error instanceof OversizedText) return { ok: false, refused: { maxBytes: reportLimits.text } }
      if (!(error instanceof UnreadableReport)) throw error
      const { reason, line, message } = error
      return { ok: false, refused: { entry: displayName, reason, line, message: withSpelledOut(message) } }
    }
  }
  const cases = [...byAddress.values()]
  const totals = totalsOf(cases)
  return {
    ok: true,
    gathered: {
      files,
      totals,
      outcome: totals.failed > 0 ? 'failed' : totals.executed === 0 ? 'empty' : 'passed',
      content_sha256: createHash('sha256')
        .update(files.map(({ sha256 }) => sha256).join())
        .digest('hex'),
      ...mapped(request, cases),
    },
  }
}

/** Two cases with the same address are merged, and the worse result counts (evidence 2, rule 6). */
function take(byAddress: Map<string, Gathering>, { parts, ...found }: ReportedCase): void {
  const address = cleaned(parts.join('::')).slice(0, maxAddressLength)
  const other = byAddress.get(address)
  const incoming = { ...found, address }
  if (other === undefined) {
    byAddress.set(address, incoming)
    return
  }
  const worse = severity[incoming.status] > severity[other.status] ? incoming : other
  const tags = [...new Set([...other.tags, ...incoming.tags])]
  const flaky = worse.status === 'passed' && (other.flaky || incoming.flaky)
  byAddress.set(address, { ...worse, tags, flaky })
}

const cleaned = (text: string): string => maskKeys(withSpelledOut(text))

const cleanedOrNull = (text: string | null, max: number): string | null =>
  text === null ? null : cleaned(text.slice(0, max * 2)).slice(0, max)

function totalsOf(cases: readonly Gathering[]): Totals {
  const count = (status: Status) => cases.filter(found => found.status === status).length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  const flaky = cases.filter(found => found.flaky).length
  return { cases: cases.length, executed: passed + failed, passed, failed, skipped, flaky }
}

/** A scenario that tests may prove. */
class Scenario {
  readonly specId: string
  readonly id: string
  readonly #counts: Record<Status, number> = { passed: 0, failed: 0, skipped: 0 }
  readonly #cases: string[] = []
  readonly #matched = new Set<string>()
  #flaky = false
  #failure: string | null = null
  #first: Gathering | undefined

  constructor(specId: string, id: string) {
    this.specId = specId
    this.id = id
  }

  add(found: Gathering): void {
    this.#counts[found.status]++
    if (this.#cases.length < shownCases) this.#cases.push(found.address)
    this.#flaky ||= found.flaky
    if (found.status === 'failed')
      this.#failure ??= `${found.address}: ${cleanedOrNull(found.message, maxMessageLength) ?? 'failed'}`.slice(0, 500)
    this.#first ??= found
  }

  named(pattern: string): void {
    this.#matched.add(pattern)
  }

  shown(): ScenarioTests {
    const { passed, failed, skipped } = this.#counts
    return {
      spec_id: this.specId,
      scenario_id: this.id,
      tests: passed + failed + skipped,
      passed,
      failed,
      skipped,
      flaky: this.#flaky,
      cases: this.#cases,
      matched: [...this.#matched],
      failure: this.#failure,
      file: cleanedOrNull(this.#first?.file ?? null, 500),
      name: this.#first === undefined ? null : cleaned(this.#first.name),
    }
  }
}

/** A scenario in the JSON of a spec, with the fields that naming tests requires. */
interface StoredScenario {
  readonly id: string
  readonly tests?: readonly string[] | null
}

/** Scenarios by the patterns that match their tests. */
class Patterns {
  readonly #plain = new Map<string, { pattern: string; scenario: Scenario }[]>()
  readonly #wild = new WildPatterns<Scenario>()

  add(text: string, scenario: Scenario): void {
    const pattern = readyPattern(text)
    if (pattern.plain === undefined) this.#wild.add(pattern, scenario)
    else this.#plain.set(pattern.plain, [...(this.#plain.get(pattern.plain) ?? []), { pattern: text, scenario }])
  }

  /** The scenarios of a test, each once. */
  of(address: string): Set<Scenario> {
    const found = new Set<Scenario>()
    if (this.#plain.size > 0)
      for (const end of endsOf(address))
        for (const { pattern, scenario } of this.#plain.get(end) ?? []) {
          scenario.named(pattern)
          found.add(scenario)
        }
    for (const { pattern, of: scenario } of this.#wild.of(address)) {
      scenario.named(pattern.text)
      found.add(scenario)
    }
    return found
  }
}

/** Maps tests to scenarios, by the patterns of scenarios and by the scenarios that tests name (evidence 3). */
function mapped(
  { keys, specs, reportId, boardId }: ReadingRequest,
  cases: readonly Gathering[],
): Pick<ReportSummary, 'rows' | 'scenarios' | 'unknownRefs' | 'unmapped'> {
  const scenarios = new Map<string, Scenario>()
  const patterns = new Patterns()
  const named: NamedSpec[] = specs.map(({ id, number, scenarios: json }) => {
    const stored = JSON.parse(json) as readonly StoredScenario[]
    for (const { id: scenario_id, tests } of stored) {
      const scenario = new Scenario(id, scenario_id)
      scenarios.set(`${id}/${scenario_id}`, scenario)
      for (const pattern of tests ?? []) patterns.add(pattern, scenario)
    }
    return { id, number, ref: `${keys[0]}-${number}`, scenarios: new Set(stored.map(({ id: own }) => own)) }
  })
  const names = new Names(keys, named)
  const unknown = new Set<string>()
  const unmapped: string[] = []
  let unmappedCount = 0
  const rows: string[] = []
  let list: unknown[] = []
  const touched = new Set<Scenario>()
  for (const [position, found] of cases.entries()) {
    const own = names.in([found.address, ...found.tags])
    for (const name of own.unknown) unknown.add(name)
    const proves = patterns.of(found.address)
    for (const { spec, scenario } of own.scenarios.values()) proves.add(scenarios.get(`${spec.id}/${scenario}`)!)
    for (const scenario of proves) {
      scenario.add(found)
      touched.add(scenario)
    }
    if (proves.size === 0 && found.status !== 'skipped' && ++unmappedCount <= maxShown) unmapped.push(found.address)
    list.push(rowOf({ reportId, boardId, position }, found, [...own.scenarios.keys()], proves.size > 0))
    if (list.length === casesOfAList) {
      rows.push(JSON.stringify(list))
      list = []
    }
  }
  if (list.length > 0) rows.push(JSON.stringify(list))
  return {
    rows,
    scenarios: [...touched].map(scenario => scenario.shown()),
    unknownRefs: { items: [...unknown].slice(0, maxShown).map(cleaned), total: unknown.size },
    unmapped: { items: unmapped, total: unmappedCount },
  }
}

const rowOf = (
  place: { readonly reportId: string; readonly boardId: string; readonly position: number },
  found: Gathering,
  refs: readonly string[],
  isNamed: boolean,
): Readonly<Record<(typeof caseColumns)[number], unknown>> => ({
  report_id: place.reportId,
  position: place.position,
  board_id: place.boardId,
  rank: found.status === 'failed' ? 0 : 1,
  address: found.address,
  suite: cleanedOrNull(found.suite, maxAddressLength),
  class: cleanedOrNull(found.class, maxMessageLength),
  name: cleaned(found.name).slice(0, maxMessageLength),
  file: cleanedOrNull(found.file, maxMessageLength),
  status: found.status,
  is_flaky: found.flaky ? 1 : 0,
  duration_ms: found.durationMs,
  message: cleanedOrNull(found.message, maxMessageLength),
  refs: JSON.stringify(refs),
  is_named: isNamed ? 1 : 0,
})
