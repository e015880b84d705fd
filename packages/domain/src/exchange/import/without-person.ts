import { personal } from '../../kernel/approval-settings.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { PersonRequired } from '../../kernel/person-required.ts'

/**
 * An import runs no gates for what it creates. On a board where people approve, a person must therefore be present to
 * import (people 1.3).
 * @throws DomainError PERSON_REQUIRED
 */
export async function refuseWithoutPerson({ db, caller }: Context, boardId: string): Promise<void> {
  const [gate] = personal(await boardSettings(db, boardId))
  if (gate === undefined || caller.present) return
  const action = 'an import into a board where a person approves'
  throw new PersonRequired({ needs: 'present', gate, action, boardId, permissions: ['BOARDS_IMPORT'] })
}
