/** Readers of other tools' files: files in, neutral records and problems out. No I/O (exchange 2). */

export { decoded } from './decoded.ts'
export type { KnownRecords } from './identity.ts'
export * from './neutral.ts'
export { read } from './read.ts'
export { importedSpec } from './records.ts'
export {
  OversizedText,
  type ReportedCase,
  type ReportFault,
  type ReportFormat,
  reportLimits,
  UnreadableReport,
} from './reports/case.ts'
export { readReport } from './reports/read-report.ts'
