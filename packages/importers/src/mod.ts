/** Readers of other tools' files: files in, neutral records and problems out. No I/O (exchange 2). */

export * from './neutral.ts'
export { detectFormat, read } from './read.ts'
export { importedSpec } from './records.ts'
