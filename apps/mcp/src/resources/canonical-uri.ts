import type { Caller, Service } from '@specboard/domain'
import { addressOf, attachmentUri, guidelinesUri, recordUri } from './uris.ts'

/**
 * The URI with ids in place of references and keys (work 1), so that a record has one URI for reading, subscriptions
 * and notifications. One that names nothing visible is unchanged.
 * @param within the one board that may be seen
 */
export async function canonicalUri(
  service: Pick<Service, 'idOf'>,
  caller: Caller,
  uri: string,
  within: string | undefined,
): Promise<string> {
  const address = addressOf(uri)
  if (address === undefined) return uri
  switch (address.kind) {
    case 'me':
    case 'operation':
    case 'guide':
      return uri
    case 'guidelines':
      return guidelinesUri(await service.idOf(caller, 'board', address.id, within))
    case 'attachment':
      return attachmentUri(
        await service.idOf(caller, 'board', address.boardId, within),
        await service.idOf(caller, 'card', address.cardId, within),
        address.id,
      )
    default:
      return recordUri(address.kind, await service.idOf(caller, address.kind, address.id, within))
  }
}
