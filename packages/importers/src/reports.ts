/** The reader of reports of tests: bytes in, cases out (evidence 2). */
export { readReport } from './reports/read-report.ts'
