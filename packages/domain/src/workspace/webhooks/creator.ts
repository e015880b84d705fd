import { type Permission, permissionNames } from '@specboard/contract'
import { Access } from '../../kernel/access/access.ts'
import { reachByType } from '../../kernel/access/records.ts'
import { unreadableActions } from '../../kernel/change-actions.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Authenticator } from '../../kernel/service/authenticate.ts'
import type { Db } from '../../schema/database.ts'
import type { WebhooksTable } from '../../schema/tables.ts'
import { readableKinds } from '../events/rules.ts'
import type { EventFilter } from '../events/store.ts'

type WebhookOrigin = Pick<WebhooksTable, 'board_id' | 'created_by'>

/**
 * What the creator of a webhook may now do on its board; null when it no longer sees the board, undefined when it is
 * deleted or inactive.
 */
export async function accessOfCreator(
  db: Db,
  { board_id, created_by }: WebhookOrigin,
  agents: Authenticator,
): Promise<Access | null | undefined> {
  const base = await agents.baseOf(db, created_by)
  if (base === undefined) return undefined
  try {
    const { way } = await reachByType(db, 'board', board_id, created_by)
    return new Access(base, way)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** The events that a webhook may get, given the access of its creator. */
export const eventFilterFor = (access: Access | null): EventFilter => ({
  kinds: access === null ? [] : readableKinds(access),
  withoutActions: access === null ? [] : unreadableActions(access),
  withoutImported: true,
})

const isReading = (name: Permission): boolean => /_READ(?:_|$)/.test(name)

/**
 * The permissions for reading that one agent's access has and another's lacks; for an agent without access now, all
 * that the other lacks.
 */
export const readPermissionsBeyond = (access: Access | null | undefined, than: Access): Permission[] =>
  permissionNames.filter(name => isReading(name) && (access?.allows(name) ?? true) && !than.allows(name))
