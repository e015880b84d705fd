/** Readers of other tools' files: file in, neutral records and problems out. No I/O (exchange 2). */

export * from './neutral.ts'
