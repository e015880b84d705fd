/** The storage of the authorization library, in the database of all nodes (people 3.7). */
import type { OauthClients, OauthRecords } from '@specboard/domain'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { ClientDocuments } from './client-documents.ts'

/** What storing records needs. */
export interface AdapterParts {
  readonly records: OauthRecords
  readonly clients: OauthClients
  readonly documents: ClientDocuments
  /** How long a refresh token stays valid after another replaced it, ms. */
  readonly graceMs: number
  readonly clock: () => number
  /** Makes the error for a code that another request used first. */
  readonly usedBefore: () => Promise<Error>
}

/** How long a record is kept if the library gives no lifetime, seconds. */
const defaultLifetimeS = 3_600

/** Nothing is stored: a person signs in to this service, and never to the library. */
const nothing: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

/** Creates the storage for each kind of record. The id of a record is its token, of which only the hash is stored. */
export function adapterOf(parts: AdapterParts): (kind: string) => Adapter {
  const reused = new Set<string>()
  return kind => {
    if (kind === 'Session') return nothing
    if (kind === 'Client') return clientsOf(parts)
    return recordsOf(kind, parts, reused)
  }
}

/** @param reused the grants with a token that was reused */
function recordsOf(kind: string, parts: AdapterParts, reused: Set<string>): Adapter {
  const { records, graceMs, clock, usedBefore } = parts
  return {
    ...nothing,
    upsert: (id, { jti, ...payload }, expiresInS) => {
      const grantId = kind === 'Grant' ? id : payload.grantId
      return records.put(kind, id, { payload, grantId, expiresInS: expiresInS ?? defaultLifetimeS })
    },
    find: async id => {
      const found = await records.find(kind, id)
      if (found === undefined) return undefined
      const payload: AdapterPayload = { ...found.payload, jti: id }
      const usedFor = found.consumedAt === null ? undefined : clock() - Date.parse(found.consumedAt)
      // Clients that share a store send one refresh token several times, and an answer may be lost.
      if (usedFor === undefined || (kind === 'RefreshToken' && usedFor < graceMs)) return payload
      if (found.grantId !== null) reused.add(found.grantId)
      return { ...payload, consumed: Math.floor(Date.parse(found.consumedAt!) / 1_000) }
    },
    consume: async id => {
      const isFirst = await records.consume(kind, id)
      if (!isFirst && kind === 'AuthorizationCode') throw await usedBefore()
    },
    destroy: id => records.remove(kind, id),
    revokeByGrantId: async grantId => {
      await records.end(grantId, reused.has(grantId) ? 'reuse' : 'revoked')
      reused.delete(grantId)
    },
  }
}

const clientsOf = ({ clients, documents }: AdapterParts): Adapter => ({
  ...nothing,
  upsert: (id, { client_id, ...metadata }) =>
    clients.put(id, { origin: 'registered', metadata, freshUntil: undefined }),
  find: async id => {
    const metadata = documents.isDocument(id) ? await documents.find(id) : (await clients.find(id))?.metadata
    return metadata && ({ ...metadata, client_id: id } as AdapterPayload)
  },
})
