/** The repositories of a board, as the settings show them. */
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Needs } from '../../data/needs.ts'

/** The permissions needed to change repositories. */
export const managing: Needs = ['REPOSITORIES_MANAGE']

export type Repository = Awaited<ReturnType<typeof client.listRepositories>>['items'][number]

export const repositoriesOf = (board_id: string) =>
  queryOptions({
    queryKey: keys.list(board_id, 'repository'),
    queryFn: async () => (await client.listRepositories({ board_id })).items,
  })
