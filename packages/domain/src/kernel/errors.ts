import { type ErrorCode, errorStatus, type IssueItem } from '@specboard/contract'

/** Members of an error's `detail` besides `error` and `message`. */
export type ErrorExtra = Readonly<Record<string, unknown>>

/**
 * A refused call. Its message tells the calling agent what to do next. It has no stack trace: it is an answer, so nobody needs to know where it was created, and many are created only to report what would happen to a call (board 3). A stack trace costs 10 µs.
 *
 * @example
 * throw blocked('COVERAGE_REQUIRED', `Test scenarios of the sprint have not passed: ${names}.`, { gate, missing })
 */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly extra: ErrorExtra

  constructor(code: ErrorCode, message: string, extra: ErrorExtra = {}) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'DomainError'
    this.code = code
    this.extra = extra
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorStatus[this.code]
  }

  /** The `detail` member of the answer. */
  get detail(): Readonly<Record<string, unknown>> {
    return { error: this.code, message: this.message, ...this.extra }
  }
}

/** The codes of the system's errors when this process, or the whole machine, has no file handle left. */
const exhausted: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE'])

/**
 * The refusal for an error: the error itself if it is a refusal; BUSY if a file that the call needs, such as a module
 * that is loaded on first use, could not be opened for lack of file handles. Undefined for a fault.
 */
export function refusalOfError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  return error instanceof Error && 'code' in error && exhausted.has(error.code)
    ? new DomainError('BUSY', 'The service has no file handle left. Try again in a few seconds.', { retry_after: 5 })
    : undefined
}

/** Invalid input that a schema alone cannot detect: 422 with one item for each fault. */
export class InvalidInput extends Error {
  readonly items: readonly IssueItem[]

  constructor(items: readonly IssueItem[]) {
    super(items.map(({ msg }) => msg).join('; '))
    this.items = items
  }
}

/** A bare number, which is how other tools refer to a record (crew 9.5). */
const isBareNumber = /^#?[0-9]+$/

/** What has a reference; a version or an item of a list does not. */
const withReference: ReadonlySet<string> = new Set(['ideation', 'refinement', 'spec', 'sprint', 'card', 'record'])

/** 404: the record does not exist or is not visible to the caller; the answer is the same for both. */
export function notFound(entityType: string, entityId: string): DomainError {
  const entity_id = entityId.length > maxEchoLength ? `${entityId.slice(0, maxEchoLength)}…` : entityId
  const isNumberOnly = withReference.has(entityType) && isBareNumber.test(entity_id)
  const form = isNumberOnly ? ' A reference has the key of its board before the number, as in SPE-2.' : ''
  const message = `No ${entityType.replaceAll('_', ' ')} ${entity_id} is visible to this key.${form}`
  return new DomainError('NOT_FOUND', message, {
    entity_type: entityType,
    entity_id,
  })
}

/** Maximum number of characters of the input that an error repeats (walls 3, rule 2). */
const maxEchoLength = 200

/**
 * 400: a value that the schema accepts and a rule refuses, with the field at fault. `details` repeats field and
 * message, unless `extra` has its own.
 */
export const invalid = (field: string, message: string, extra: ErrorExtra = {}): DomainError =>
  new DomainError('VALIDATION_ERROR', message, { field, details: [{ field, message }], ...extra })

/** 409: a state or gate blocks the call; `extra` says what is missing. */
export const blocked = (code: ErrorCode, message: string, extra: ErrorExtra = {}): DomainError =>
  new DomainError(code, message, extra)

/** 409: an agent tries to change its own rights; `fields` are those at fault (trust 2). */
export const selfChange = (refusal: string, fields: readonly string[]): DomainError =>
  blocked('SELF_CHANGE', `${refusal}: ask an agent that manages you.`, { fields })

/**
 * Refuses a call if a check returned a refusal.
 * @throws DomainError
 */
export function refuse(refusal: DomainError | null): void {
  if (refusal !== null) throw refusal
}
