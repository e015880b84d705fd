/** The people of the service, their invitations and connections, for those who manage them (people). */
import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

/** The cached data about people, read again after each change. */
export const peopleKeys = {
  persons: keys.service('agents', { kind: 'person' }),
  invitations: keys.service('invitations'),
  connections: keys.service('connections'),
  signIns: keys.service('audit', { action: 'signed_in' }),
} as const

export const usePersons = () =>
  useQuery({
    queryKey: peopleKeys.persons,
    queryFn: async () => (await client.listAgents({ kind: 'person', boards: true })).items,
  })

export type Invitation = Awaited<ReturnType<typeof client.listInvitations>>['items'][number]

export const useInvitations = () =>
  useQuery({
    queryKey: peopleKeys.invitations,
    queryFn: async () => (await client.listInvitations()).items,
    retry: false,
  })

export const useAllConnections = () =>
  useQuery({
    queryKey: peopleKeys.connections,
    queryFn: async () => (await client.listConnections({ all: true })).items,
    retry: false,
  })

type AuditEntry = Awaited<ReturnType<typeof client.listAudit>>['items'][number]

/** Recent sign-ins and refusals by providers, newest first. */
interface SignIns {
  readonly signedIn: readonly AuditEntry[]
  readonly refused: readonly AuditEntry[]
}

const lately = 200

/** The audit entries about signing in; only requested for those who may read them. */
export const useSignIns = (mayRead: boolean) =>
  useQuery({
    queryKey: peopleKeys.signIns,
    enabled: mayRead,
    retry: false,
    queryFn: async (): Promise<SignIns> => {
      const [signedIn, refused] = await Promise.all([
        client.listAudit({ action: 'signed_in', limit: lately }),
        client.listAudit({ action: 'sign_in_refused', limit: lately }),
      ])
      return { signedIn: signedIn.items, refused: refused.items }
    },
  })

/** A text in the details of an entry; undefined if it has none. */
export const wordIn = ({ details }: AuditEntry, name: string): string | undefined => {
  const word = details?.[name]
  return typeof word === 'string' ? word : undefined
}
