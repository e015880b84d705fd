/** The reader of other tools' files: files in, neutral records and problems out. No I/O (exchange 2). */
export { read } from './read.ts'
