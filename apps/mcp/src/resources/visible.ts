import { operationByName, type Permission } from '@specboard/contract'
import { type Caller, DomainError, type RecordType, type Service } from '@specboard/domain'
import { fixedPage } from './read-resource.ts'
import { templates } from './templates.ts'
import { addressOf } from './uris.ts'

/** The record that a kind of resource shows, and the permission to read it. */
const needs = (kind: string): { readonly type: RecordType; readonly permission: Permission } => {
  const template = templates.find(({ name }) => name === kind)
  const operation = operationByName.get(template?.operation ?? '')
  const type = kind === 'guidelines' ? 'board' : kind === 'attachment' ? 'card' : (kind as RecordType)
  return { type, permission: operation?.permission as Permission }
}

/** Whether a caller may read a resource now; false for a URI that is not ours. */
export async function isVisible(
  service: Service,
  caller: Caller,
  uri: string,
  within: string | undefined,
): Promise<boolean> {
  const address = addressOf(uri)
  if (address === undefined) return false
  if (address.kind === 'me') return true
  if (address.kind === 'guide' || address.kind === 'operation') return fixedPage(address) !== undefined
  const { type, permission } = needs(address.kind)
  const id = address.kind === 'attachment' ? address.cardId : address.id
  try {
    const { access } = await service.read(caller, ctx => ctx.reach(type, id), within)
    return access.allows(permission)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return false
    throw error
  }
}
