import { expect, test } from 'vitest'
import { StorageError } from './storage-error.ts'
import { isUnwritable } from './unwritable.ts'

const failure = (code: string): Error => Object.assign(new Error('failed'), { code })

test.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', '23505', '22021', '42703'])('%s fails each time', code => {
  expect(isUnwritable(failure(code))).toBe(true)
})

test.each(['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_IOERR_WRITE', 'SQLITE_CORRUPT', '40001', '53100', '57P01'])(
  '%s may pass',
  code => {
    expect(isUnwritable(failure(code))).toBe(false)
  },
)

test('a value that cannot be bound fails each time, a full disk may pass', () => {
  expect(isUnwritable(new TypeError('cannot bind'))).toBe(true)
  expect(isUnwritable(new StorageError('STORAGE_FULL', 'full'))).toBe(false)
})
