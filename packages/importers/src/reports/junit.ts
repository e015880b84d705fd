/** JUnit XML, as written by test runners of all languages (evidence 2). */
import { SaxesParser } from 'saxes'
import {
  type CaseStatus,
  type Cases,
  firstText,
  OversizedText,
  partOf,
  reportLimits,
  UnreadableReport,
} from './case.ts'
import { declaresType, withoutForbidden } from './xml-text.ts'

/** Characters that the parser processes at once, so that a step is short and an oversized text is detected early. */
const stepCharacters = 16 << 10

type Attributes = Readonly<Record<string, string>>

/** An open suite element. */
interface OpenSuite {
  readonly name: string
  readonly isRoot: boolean
  readonly file: string | null
  /** The failures and errors in its attributes. */
  readonly declaredFaults: number
  /** The failures and errors of its cases. */
  caseFaults: number
  /** A failure of the suite itself. */
  own: { message: string | null } | undefined
}

/** An open case element. */
interface OpenCase {
  readonly attributes: Attributes
  failures: number
  skipped: boolean
  flaky: boolean
  message: string | null
  skippedMessage: string | null
  readonly tags: string[]
}

const faults: ReadonlySet<string> = new Set(['failure', 'error'])
const retried: ReadonlySet<string> = new Set(['flakyFailure', 'flakyError'])
const outputs: ReadonlySet<string> = new Set(['system-out', 'system-err'])

/** Characters that are kept of a message while it is read. */
const keptOfMessage = 4_000

/** Walks the elements of a report. */
class Walk {
  readonly #cases: Cases
  readonly #path: string[] = []
  readonly #suites: OpenSuite[] = []
  #case: OpenCase | undefined
  /** The text of the open element, if it may be a message. */
  #text: string | undefined
  #message: string | undefined

  constructor(cases: Cases) {
    this.#cases = cases
  }

  /** Whether the current text is output, which is not kept. */
  get isInOutput(): boolean {
    return this.#path.some(name => outputs.has(name))
  }

  open(name: string, attributes: Attributes, line: number): void {
    this.#path.push(name)
    if (this.#path.length > reportLimits.xmlDepth)
      throw new UnreadableReport('too_deep', `XML has at most ${reportLimits.xmlDepth} levels`, line)
    if (this.#path.length === 1 && name !== 'testsuites' && name !== 'testsuite')
      throw new UnreadableReport('unknown_format', `The root is ${partOf(name).slice(0, 40)}, not testsuites`, line)
    if (name === 'testsuites' || name === 'testsuite') this.#openSuite(name, attributes)
    else if (name === 'testcase' && this.#case === undefined) this.#openCase(attributes)
    else this.#inside(name, attributes)
  }

  text(text: string): void {
    if (this.#text !== undefined && this.#text.length < keptOfMessage) this.#text += text.slice(0, keptOfMessage)
  }

  close(name: string): void {
    const parent = this.#path.at(-2)
    this.#path.pop()
    if (name === 'testsuites' || name === 'testsuite') this.#closeSuite()
    else if (name === 'testcase' && parent !== 'testcase' && !this.#path.includes('testcase')) this.#closeCase()
    else if (this.#text !== undefined && name === 'property') this.#closeProperty()
    else if (this.#text !== undefined && (faults.has(name) || name === 'skipped' || retried.has(name)))
      this.#closeMessage(name)
  }

  #openSuite(name: string, attributes: Attributes): void {
    this.#suites.push({
      name: attributes.name ?? '',
      isRoot: name === 'testsuites',
      file: attributes.file ?? attributes.filepath ?? null,
      declaredFaults: countOf(attributes.failures) + countOf(attributes.errors),
      caseFaults: 0,
      own: undefined,
    })
  }

  #openCase(attributes: Attributes): void {
    this.#case = {
      attributes,
      failures: 0,
      skipped: false,
      flaky: false,
      message: null,
      skippedMessage: null,
      tags: [],
    }
  }

  #inside(name: string, attributes: Attributes): void {
    const parent = this.#path.at(-2)
    const open = this.#case
    if (open === undefined) {
      if (faults.has(name) && (parent === 'testsuite' || parent === 'testsuites')) {
        this.#suites.at(-1)!.own = { message: null }
        this.#listen(attributes)
      }
      return
    }
    if (name === 'property' && attributes.name === 'specboard') {
      if (attributes.value === undefined) this.#text ??= ''
      else open.tags.push(attributes.value)
    }
    if (parent !== 'testcase') return
    if (faults.has(name)) open.failures++
    else if (name === 'skipped') open.skipped = true
    else if (retried.has(name)) open.flaky = true
    else return
    this.#listen(attributes)
  }

  #listen(attributes: Attributes): void {
    this.#text = ''
    this.#message = attributes.message
  }

  /** Some runners write the value of a property as its text. */
  #closeProperty(): void {
    this.#case?.tags.push(this.#text!)
    this.#text = undefined
  }

  #closeMessage(name: string): void {
    const message = firstText(this.#message, this.#text)
    this.#text = undefined
    const open = this.#case
    if (open === undefined) {
      const suite = this.#suites.at(-1)
      if (suite?.own !== undefined) suite.own.message ??= message
    } else if (faults.has(name)) open.message ??= message
    else open.skippedMessage ??= message
  }

  #closeCase(): void {
    const open = this.#case!
    this.#case = undefined
    const { name = '', classname = '', file, time } = open.attributes
    const status: CaseStatus = open.failures > 0 ? 'failed' : open.skipped ? 'skipped' : 'passed'
    const suite = this.#suites.at(-1)
    if (suite !== undefined) suite.caseFaults += open.failures
    this.#cases.add({
      parts: this.#address([classname, name]),
      suite: this.#suiteName(),
      class: partOf(classname) === '' ? null : partOf(classname),
      name: partOf(name),
      file: file ?? this.#suites.findLast(each => each.file !== null)?.file ?? null,
      status,
      flaky: status === 'passed' && open.flaky,
      durationMs: millisecondsOf(time),
      message: status === 'failed' ? open.message : open.skippedMessage,
      tags: open.tags,
    })
  }

  #closeSuite(): void {
    const suite = this.#suites.at(-1)!
    if (suite.own !== undefined) {
      this.#addFailure(partOf(suite.name) === '' ? '(suite)' : suite.name, suite.own.message)
      suite.caseFaults++
    }
    if (suite.declaredFaults > suite.caseFaults) {
      this.#addFailure('(suite) reported failures without a case', null)
      suite.caseFaults = suite.declaredFaults
    }
    this.#suites.pop()
    const outer = this.#suites.at(-1)
    if (outer !== undefined) outer.caseFaults += suite.caseFaults
  }

  #addFailure(name: string, message: string | null): void {
    this.#cases.add({
      parts: this.#address([name]),
      suite: this.#suiteName(),
      class: null,
      name: partOf(name),
      file: this.#suites.findLast(each => each.file !== null)?.file ?? null,
      status: 'failed',
      flaky: false,
      durationMs: null,
      message,
      tags: [],
    })
  }

  /** Suites, class and name; consecutive duplicates are removed. */
  #address(rest: readonly string[]): string[] {
    const parts = [...this.#suites.filter(({ isRoot }) => !isRoot).map(({ name }) => name), ...rest].map(partOf)
    return parts.filter((part, at) => part !== '' && part !== parts.slice(0, at).findLast(before => before !== ''))
  }

  #suiteName(): string | null {
    const names = this.#suites.filter(({ isRoot }) => !isRoot).map(({ name }) => partOf(name))
    return firstText(names.filter(name => name !== '').join('::'))
  }
}

const countOf = (text: string | undefined): number => {
  const count = Number(text ?? 0)
  return Number.isFinite(count) && count > 0 ? count : 0
}

/** Seconds as JUnit writes them, some with a comma as thousands separator. */
function millisecondsOf(text: string | undefined): number | null {
  const seconds = text === undefined || text.trim() === '' ? Number.NaN : Number(text.replaceAll(',', ''))
  return Number.isFinite(seconds) && seconds >= 0
    ? Math.min(Math.round(seconds * 1_000), Number.MAX_SAFE_INTEGER)
    : null
}

/**
 * Reads a JUnit report.
 * @throws UnreadableReport, OversizedText
 */
export function readJunit(text: string, cases: Cases): void {
  if (declaresType(text)) throw declaredType(1)
  const plain = withoutForbidden(text)
  const walk = new Walk(cases)
  const parser = new SaxesParser({ xmlns: false, position: true })
  let since = 0
  const markPosition = () => {
    since = parser.position
  }
  parser.on('doctype', () => {
    throw declaredType(parser.line)
  })
  parser.on('attribute', ({ value }) => {
    markPosition()
    if (value.length > reportLimits.text) throw new OversizedText()
  })
  parser.on('opentag', ({ name, attributes }) => {
    markPosition()
    walk.open(name, attributes as Attributes, parser.line)
  })
  const onText = (found: string) => {
    markPosition()
    if (found.length > reportLimits.text && !walk.isInOutput) throw new OversizedText()
    walk.text(found)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('comment', markPosition)
  parser.on('closetag', ({ name }) => {
    markPosition()
    walk.close(name)
  })
  const parse = (reason: 'malformed' | 'cut', step: () => void) => {
    try {
      step()
    } catch (error) {
      if (error instanceof UnreadableReport || error instanceof OversizedText) throw error
      const fault = faultOf(error)
      throw fault === misplacedType ? declaredType(parser.line) : new UnreadableReport(reason, fault, parser.line)
    }
  }
  for (let at = 0; at < plain.length; at += stepCharacters) {
    parse('malformed', () => parser.write(plain.slice(at, at + stepCharacters)))
    if (parser.position - since > reportLimits.text + stepCharacters && !walk.isInOutput) throw new OversizedText()
  }
  parse('cut', () => parser.close())
}

/** The refusal of a document type, wherever it occurs (evidence 2, rule 3). */
const declaredType = (line: number) =>
  new UnreadableReport('doctype', 'A document type is not allowed: leave it out', line)

/** The parser's message about a document type after the start of the root element. */
const misplacedType = 'inappropriately located doctype declaration'

/** The parser's message, without its leading position and its period. */
const faultOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^\d+:\d+: /, '')
    .replace(/\.$/, '')
    .slice(0, 200)
