/**
 * The results and refusals of the readers of other tools' files (exchange 2). The readers have entry points of their
 * own.
 */

export { decoded } from './decoded.ts'
export type { KnownRecords } from './identity.ts'
export * from './neutral.ts'
export { importedSpec } from './records.ts'
export {
  OversizedText,
  type ReportedCase,
  type ReportFault,
  type ReportFormat,
  reportLimits,
  UnreadableReport,
} from './reports/case.ts'
