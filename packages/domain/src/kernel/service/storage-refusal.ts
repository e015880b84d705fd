import { StorageError } from '@specboard/storage'
import { DomainError } from '../errors.ts'

/** Turns a storage error into the one that the caller gets. */
export function storageRefusal(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error
  if (error.code === 'STORAGE_LOST') return new DomainError('STORAGE_LOST', error.message)
  if (error.code === 'STORAGE_FULL') return new DomainError('STORAGE_FULL', error.message, { retry_after: 10 })
  if (error.code === 'UNREACHABLE' || error.code === 'READ_ONLY')
    return new DomainError('BUSY', error.message, { retry_after: 5 })
  if (error.code === 'BUSY' || error.code === 'CLOSED')
    return new DomainError('BUSY', error.message, { retry_after: 1 })
  return error
}
