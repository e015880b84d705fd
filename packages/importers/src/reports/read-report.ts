/** Reads the files of a test report (evidence 2). Pure: bytes in, cases out. */
import { Cases, type ReportedCase, type ReportFormat, UnreadableReport } from './case.ts'
import { isCtrf, parsedJson, readCtrf } from './ctrf.ts'
import { isGoEvent, readGo } from './go.ts'
import { readJunit } from './junit.ts'
import { readTap } from './tap.ts'
import { textOf } from './xml-text.ts'

const tapLine = /^(?:TAP version \d|1\.\.\d|ok\b|not ok\b|Bail out!|# Subtest)/

/** Lines that are searched to detect the format. */
const linesLookedAt = 200

/**
 * The format of a file, from its content.
 * @throws UnreadableReport if no format matches
 */
export function formatOf(bytes: Uint8Array): ReportFormat {
  const text = textOf(bytes.subarray(0, 64 << 10))
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('<')) return 'junit'
  const lines = text.split('\n', linesLookedAt)
  if (text.startsWith('{')) return isGoLine(lines[0]!) ? 'go' : 'ctrf'
  // Whatever else a shell or a build wrote comes before.
  for (const line of lines) {
    if (tapLine.test(line.trimStart())) return 'tap'
    if (isGoLine(line)) return 'go'
  }
  throw new UnreadableReport('unknown_format', 'It is not JUnit XML, TAP, CTRF or go test -json')
}

/** Whether a line is a Go test event. */
function isGoLine(line: string): boolean {
  try {
    return line.startsWith('{') && isGoEvent(JSON.parse(line))
  } catch {
    return false
  }
}

/** The result of reading a file. */
export interface ReadReport {
  readonly format: ReportFormat
  readonly cases: readonly ReportedCase[]
}

/**
 * Reads a file of a report.
 * @param requestedFormat the format that the caller specified, if any
 * @param room how many more cases the report may have
 * @throws UnreadableReport, OversizedText
 */
export function readReport(bytes: Uint8Array, requestedFormat: ReportFormat | undefined, room: number): ReadReport {
  if (bytes.length === 0 || isBlank(bytes)) throw new UnreadableReport('unknown_format', 'The file is empty')
  const format = requestedFormat ?? formatOf(bytes)
  const cases = new Cases(room)
  const text = textOf(bytes)
  if (format === 'junit') readJunit(text, cases)
  else if (format === 'tap') readTap(text, cases)
  else if (format === 'go') readGo(text, cases)
  else readJson(text, requestedFormat, cases)
  return { format, cases: cases.found }
}

/** JSON that is not a report is distinguished from an invalid report, unless the caller specified the format. */
function readJson(text: string, requestedFormat: ReportFormat | undefined, cases: Cases): void {
  if (requestedFormat === undefined && !isCtrf(parsedJson(text)))
    throw new UnreadableReport('unknown_format', 'It is JSON, and neither CTRF nor go test -json')
  readCtrf(text, cases)
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(byte => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
}
