/** The code of a storage error; the domain and the command line map it to an answer. */
export type StorageErrorCode =
  | 'NOT_DURABLE'
  | 'NO_STREAMS'
  | 'UNIT_CLOSED'
  | 'UNIT_AWAITED'
  | 'NO_GROUP'
  | 'BUSY'
  | 'STORAGE_FULL'
  | 'STORAGE_LOST'
  | 'UNREACHABLE'
  | 'READ_ONLY'
  | 'DATABASE_REFUSED'
  | 'DATABASE_IN_USE'
  | 'DATABASE_FILLED'
  | 'DATABASE_NEWER'
  | 'DATABASE_OLDER'
  | 'NO_DATABASE'
  | 'DATABASE_MISSING'
  | 'DATABASE_DAMAGED'
  | 'FOLDER_LOCKED'
  | 'FOREIGN_KEY'
  | 'CLOSED'

export class StorageError extends Error {
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.code = code
  }
}
