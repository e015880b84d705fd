/** A thread that reads files of other tools, one after the other (walls 5). */
import '@specboard/storage/prototypes'
import { parentPort } from 'node:worker_threads'
import { atOnce } from '@specboard/contract'
import { Ambiguous, Unreadable } from '@specboard/importers'
import { read } from '@specboard/importers/reading'
import { DomainError } from '../../kernel/errors.ts'
import { entriesIn } from './entries.ts'
import { knownRecords } from './known-records.ts'
import type { FromReader, ToReader } from './reader-messages.ts'

/** Records that are passed on at once. */
const recordsOfAMessage = 500

const port = parentPort!

const send = (message: FromReader) => port.postMessage(message)

port.on('message', ({ file, format, options, digests }: ToReader) => {
  readAll(file, format, { ...options, known: knownRecords(digests) }).catch(error => send(refusalOf(error)))
})

async function readAll(file: ToReader['file'], format: ToReader['format'], options: Parameters<typeof read>[2]) {
  const entries = await entriesIn(file)
  const { records, ...rest } = atOnce(read(format, { filename: file.filename, entries }, options))
  for (let at = 0; at < records.length; at += recordsOfAMessage)
    send({ type: 'records', records: records.slice(at, at + recordsOfAMessage) })
  send({ type: 'end', rest })
}

function refusalOf(error: unknown): FromReader {
  if (error instanceof Unreadable)
    return { type: 'unreadable', message: error.message, entry: error.entry, line: error.line }
  if (error instanceof Ambiguous) return { type: 'ambiguous', message: error.message, fits: error.fits }
  if (error instanceof DomainError)
    return { type: 'refused', code: error.code, message: error.message, extra: error.extra }
  const isTooDeep = error instanceof RangeError
  if (isTooDeep) return { type: 'unreadable', message: 'It is nested too deeply to be read.', entry: null, line: null }
  return { type: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
