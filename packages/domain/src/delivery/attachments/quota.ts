import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import { sizeOfAll } from './store.ts'

const mebibyte = 1 << 20

/**
 * Refuses files that would exceed the quota for all attachments together.
 * @throws DomainError LIMIT_REACHED
 */
export async function refuseFilesBeyondQuota({ db, environment }: Context, bytes: number): Promise<void> {
  const limit = environment.quotas.attachmentBytes
  if (limit === 0 || (await sizeOfAll(db)) + bytes <= limit) return
  const limitMb = limit / mebibyte
  throw blocked(
    'LIMIT_REACHED',
    `Attachments may use up to ${limitMb} MiB here. Delete some, or ask the operator for more.`,
    {
      limit: limitMb,
      what: 'attachments_mb',
    },
  )
}
