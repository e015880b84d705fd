/** A thread that runs calls that read a lot (`ReadingThreads`), on a read-only connection of its own. */
import '@specboard/storage/prototypes'
import { isReading, operationByName } from '@specboard/contract'
import { openReader, type ReplicaPlace } from '@specboard/storage'
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import * as runners from './features.ts'
import { BoardGates } from './kernel/board-gates.ts'
import type { Environment } from './kernel/context.ts'
import { DomainError } from './kernel/errors.ts'
import type { FileAnswer } from './kernel/implement.ts'
import { RuntimeSettings } from './kernel/runtime-settings.ts'
import type { Answer, Reduce, Reduction } from './kernel/service/call.ts'
import { answersRepresentation, etagOf } from './kernel/service/etag.ts'
import type { ThreadAnswer, ThreadCall } from './kernel/service/read-pool.ts'
import { Service } from './kernel/service/service.ts'
import type { ThreadStart } from './reading-threads.ts'
import type { Schema } from './schema/tables.ts'
import * as visibility from './visibility.ts'

const { folder, address, version, cacheMb, sessionLife } = workerData as ThreadStart
const reader = openReader<Schema>({ address, cacheMb })
const settings = new RuntimeSettings({})
const called: { now: number; replica: ReplicaPlace | undefined } = { now: 0, replica: undefined }

/** Thrown when an implementation that runs in a thread needs something that only the main thread has. */
const onlyMain = (): never => {
  throw new Error('This part of the environment is not available in a reader thread.')
}

const environment: Environment = {
  clock: () => called.now,
  newId: onlyMain,
  folder,
  version,
  settings,
  get node() {
    return onlyMain()
  },
  get condition() {
    return onlyMain()
  },
  selfTest: onlyMain,
  address,
  database: onlyMain,
  attachmentMaxBytes: 0,
  importMaxBytes: 0,
  get readerLimits() {
    return onlyMain()
  },
  quotas: { boardsPerAgent: 0, attachmentBytes: 0 },
  publicUrl: undefined,
  sessionLife,
  conflictMinutes: 0,
  repeatMinutes: 0,
  answerCharacters: 0,
  get secretKey() {
    return onlyMain()
  },
  onFault: onlyMain,
  onEntry: onlyMain,
  onTexts: onlyMain,
  onChanges: onlyMain,
  get notifications() {
    return onlyMain()
  },
  onImport: onlyMain,
  openApi: onlyMain,
  get storage() {
    return onlyMain()
  },
  // The main thread holds calls back before it passes them on.
  gates: new BoardGates(),
  get leases() {
    return onlyMain()
  },
  get workerSigns() {
    return onlyMain()
  },
  get graph() {
    return onlyMain()
  },
  get forgeEvents() {
    return onlyMain()
  },
  get ciIssuers() {
    return onlyMain()
  },
  get webhooks() {
    return onlyMain()
  },
  get removals() {
    return onlyMain()
  },
  get files() {
    return onlyMain()
  },
  get backups() {
    return onlyMain()
  },
  get exports() {
    return onlyMain()
  },
  get reports() {
    return onlyMain()
  },
  get streams() {
    return onlyMain()
  },
}

const service = new Service({
  database: {
    read: (run, { onReplica } = {}) => reader.read(run, onReplica ? called.replica : undefined),
    readTogether: onlyMain,
    write: onlyMain,
    announce: onlyMain,
    onAnnounced: onlyMain,
    faultOf: error => error,
    watchedVersion: 0,
    versionWithin: undefined,
  },
  environment,
  runners,
  visibility,
  loadNextActions: onlyMain,
  nextParts: onlyMain,
  onFault: onlyMain,
  onCall: () => {},
})

/** Runs a call; the bytes of the answer are transferred to the caller's thread. */
export default async function perform(request: ThreadCall): Promise<ThreadAnswer | ReturnType<typeof move>> {
  const { operation: name, input, proof, within, origin, now, replica, settings: values, reduce } = request
  called.now = now
  called.replica = replica
  settings.apply(values)
  try {
    const operation = operationByName.get(name)!
    const call = { operation, input, caller: await service.proven(proof), within, origin }
    const answer = await (isReading(operation) ? service.perform(call) : service.answer(call))
    const { status, total, file } = answer
    const body = reduce === undefined || file !== undefined ? answer.body : await reduced(answer, request, reduce)
    const text = body === undefined ? undefined : JSON.stringify(body)
    const tagged = text !== undefined && reduce === undefined && answersRepresentation(operation)
    const json = text === undefined ? undefined : bytesOf(text)
    const etag = tagged ? etagOf(operation, body, text) : undefined
    return moved({ status, total, json, etag, file: file && { ...file, content: bytesOf(textOf(file)) } })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { refusal: { code: error.code, message: error.message, extra: error.extra } }
  }
}

async function reduced(
  answer: Answer,
  { operation, input }: ThreadCall,
  { module, parameters }: Reduction,
): Promise<unknown> {
  const { default: reduce } = (await import(module)) as { default: Reduce }
  return reduce(answer, { operation: operationByName.get(operation)!, input }, parameters)
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function textOf({ content }: FileAnswer): string {
  if (typeof content !== 'string') throw new Error('A reader thread can return a file only as a whole text.')
  return content
}

/** An answer whose bytes are transferred instead of copied. */
const moved = (answer: Extract<ThreadAnswer, { status: number }>) =>
  move({
    [transferableSymbol]: [answer.json, answer.file?.content].flatMap(bytes => bytes?.buffer ?? []),
    [valueSymbol]: answer,
  })
