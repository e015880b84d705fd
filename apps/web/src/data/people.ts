/** The people of the service, their invitations and connections, for who manages them (people). */
import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

/** What is kept of people, read again after each change. */
export const ofPeople = {
  persons: keys.service('agents', { kind: 'person' }),
  invitations: keys.service('invitations'),
  connections: keys.service('connections'),
} as const

export const usePersons = () =>
  useQuery({
    queryKey: ofPeople.persons,
    queryFn: async () => (await client.listAgents({ kind: 'person' })).items,
  })

export type Invitation = Awaited<ReturnType<typeof client.listInvitations>>['items'][number]

export const useInvitations = () =>
  useQuery({
    queryKey: ofPeople.invitations,
    queryFn: async () => (await client.listInvitations()).items,
    retry: false,
  })

export const useAllConnections = () =>
  useQuery({
    queryKey: ofPeople.connections,
    queryFn: async () => (await client.listConnections({ all: true })).items,
    retry: false,
  })
