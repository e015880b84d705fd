import { type ChainRecord, parentsOf, type Service } from '@specboard/domain'
import { addressOf, recordUri } from '../resources/uris.ts'

const chain: ReadonlySet<string> = new Set<ChainRecord['type']>(['ideation', 'refinement', 'spec', 'sprint', 'card'])

const isChainRecord = (
  address: { readonly kind: string } | undefined,
): address is { kind: ChainRecord['type']; id: string } => address !== undefined && chain.has(address.kind)

/** The resources of the parents of touched records: spec and sprint of a card, source of a spec (mcp 14.1). */
export async function parentUris(service: Service, uris: readonly string[]): Promise<string[]> {
  const touched = uris.map(addressOf).filter(isChainRecord)
  const parents = await parentsOf(
    service,
    touched.map(({ kind, id }) => ({ type: kind, id })),
  )
  return parents.map(({ type, id }) => recordUri(type, id))
}
