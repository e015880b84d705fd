/** The person's own data: sessions, accounts, connected apps and notifications (people). */
import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'
import { fetchInSession } from './session-half.ts'

/** The session of this browser: how it began, and whether it proves that the person is present (people 2.4). */
export interface WebSession {
  readonly kind: 'person' | 'agent' | 'ci' | 'service'
  readonly via: string
  readonly provider: string | null
  readonly present: boolean
}

export const useWebSession = () =>
  useQuery({
    queryKey: keys.service('web-session'),
    queryFn: async (): Promise<WebSession> => {
      const response = await fetchInSession('/web/session')
      if (!response.ok) throw new Error(response.statusText)
      return response.json()
    },
  })

/** The cached data about the person, read again after each change. */
export const ownKeys = {
  sessions: keys.service('my-sessions'),
  identities: keys.service('my-identities'),
  connections: keys.service('my-connections'),
  notifications: keys.service('my-notifications'),
} as const

export const useMySessions = () =>
  useQuery({ queryKey: ownKeys.sessions, queryFn: async () => (await client.listMySessions()).items })

export const useMyIdentities = () =>
  useQuery({ queryKey: ownKeys.identities, queryFn: async () => (await client.listMyIdentities()).items })

export const useMyConnections = () =>
  useQuery({ queryKey: ownKeys.connections, queryFn: async () => (await client.listConnections()).items })

export const useMyNotifications = () =>
  useQuery({ queryKey: ownKeys.notifications, queryFn: () => client.getMyNotifications() })

export type Connection = Awaited<ReturnType<typeof client.listConnections>>['items'][number]
export type Notifications = Awaited<ReturnType<typeof client.getMyNotifications>>
export type Channel = Notifications['channels'][number]
export type ChannelType = Channel['type']
