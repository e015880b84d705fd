import { type ErrorCode, errorStatus } from '@specboard/contract'

/** Members of an error's `detail` beside `error` and `message`. */
export type ErrorExtra = Readonly<Record<string, unknown>>

/** A refused call. The message tells the caller what to do next; agents read it. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly extra: ErrorExtra

  constructor(code: ErrorCode, message: string, extra: ErrorExtra = {}) {
    super(message)
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

/** 404: the record does not exist or the caller cannot see it; nobody can tell which. */
export const notFound = (entityType: string, entityId: string): DomainError =>
  new DomainError('NOT_FOUND', `No ${entityType.replaceAll('_', ' ')} ${entityId} is visible to this key.`, {
    entity_type: entityType,
    entity_id: entityId,
  })

/** 400: a value that a schema cannot judge, with the field at fault; `details` says the same where `extra` says no more. */
export const invalid = (field: string, message: string, extra: ErrorExtra = {}): DomainError =>
  new DomainError('VALIDATION_ERROR', message, { field, details: [{ field, message }], ...extra })

/** 409: a state or gate blocks; the members say what is missing. */
export const blocked = (code: ErrorCode, message: string, extra: ErrorExtra = {}): DomainError =>
  new DomainError(code, message, extra)
