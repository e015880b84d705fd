import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../../components/refusal.tsx'
import { Section, SectionHeading } from '../../components/section.tsx'
import { Select } from '../../components/select.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { type BoardListItem, useChoosable } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import { managing, repositoriesOf } from './repository.ts'

const texts = messages.repositories

/** How often authors are read while they are shown, ms: there are no events about them. */
const againMs = 5_000

type Author = Awaited<ReturnType<typeof client.listAuthors>>['items'][number]

/** The authors of a board's commits, unknown ones first, each with the member that the author is. */
export function Authors({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const { data: names } = useChoosable(board.id)
  const queryKey = keys.list(board.id, 'author')
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => (await client.listAuthors({ board_id: board.id })).items,
    refetchInterval: againMs,
  })
  const { data: repositories } = useQuery(repositoriesOf(board.id))
  const named = (author: Author): string => {
    const repository = repositories?.find(({ id }) => id === author.repository_id)
    return repository === undefined ? wordsFor(author) : `${wordsFor(author)} (${repository.name})`
  }
  const changing = useMutation({
    scope: { id: useId() },
    mutationFn: async ({ author, agent }: { readonly author: Author; readonly agent: string | null }) => {
      // The assignments are written as a whole, so they are read again first.
      const set = (await client.listAuthors({ board_id: board.id })).items.filter(({ source }) => source === 'set')
      const others = set.filter(other => keyOf(other) !== keyOf(author)).map(other => entryOf(other, other.agent_id))
      await client.putAuthors({ board_id: board.id, authors: [...others, entryOf(author, agent)] })
      await queries.invalidateQueries({ queryKey })
    },
  })
  if (data !== undefined && data.length === 0) return null
  const options = [...(names ?? [])].map(([value, label]) => ({ value, label }))
  const sorted = (data ?? []).toSorted((a, b) => Number(a.agent_id !== null) - Number(b.agent_id !== null))
  return (
    <SectionHeading value="h2">
      <Section title={texts.authors} count={sorted.length}>
        <p className="muted">{texts.authorsLead}</p>
        <Failure error={error ?? changing.error} />
        <Table
          caption={texts.authors}
          rows={sorted}
          keyOf={keyOf}
          isWide
          columns={[
            { label: texts.author, cell: author => named(author) },
            { label: texts.commits, isNumber: true, cell: ({ commits }) => commits },
            { label: texts.newest, cell: ({ last_at }) => (last_at === null ? null : <Time at={last_at} />) },
            {
              label: texts.agent,
              cell: author => (
                <Select
                  label={texts.agentOf(named(author))}
                  needs={managing}
                  value={author.agent_id ?? ''}
                  none={texts.nobody}
                  options={options}
                  onChange={agent => changing.mutate({ author, agent: agent === '' ? null : agent })}
                />
              ),
            },
          ]}
        />
      </Section>
    </SectionHeading>
  )
}

const wordsFor = ({ name, email, login }: Author): string =>
  [name, email === null ? null : `<${email}>`, login === null ? null : `@${login}`].filter(Boolean).join(' ')

const keyOf = ({ repository_id, email, login }: Author): string => JSON.stringify([repository_id, email, login])

const entryOf = ({ repository_id, email, login }: Author, agent_id: string | null) =>
  email === null ? { login: login!, repository_id, agent_id } : { email, repository_id, agent_id }
