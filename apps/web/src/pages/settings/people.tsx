import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Person } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import { Submit } from '../../components/submit.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useAgents } from '../../data/access.ts'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Needs } from '../../data/needs.ts'
import { useMe } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { ImportedNames } from './imported-names.tsx'

const texts = messages.settings.people

type Member = Awaited<ReturnType<typeof client.listBoardMembers>>['items'][number]

const levels = ['viewer', 'editor', 'admin'] as const
const levelOptions = levels.map(level => ({ value: level, label: texts.levels[level] }))

const without = (overrides: Readonly<Record<string, boolean>> | null | undefined): number =>
  Object.values(overrides ?? {}).filter(isLeft => !isLeft).length

/** The members of a board: its owner, shares and grants. */
export function People({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const queryKey = keys.list(board.id, 'board', { part: 'members' })
  const me = useMe()
  const [revoked, setRevoked] = useState<Member>()
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => (await client.listBoardMembers({ board_id: board.id })).items,
  })
  const after = async (change: Promise<unknown>) => {
    await change
    await queries.invalidateQueries({ queryKey })
  }
  const changing = useMutation({ mutationFn: after })
  return (
    <>
      <p className="muted">{texts.lead}</p>
      <Failure error={error ?? changing.error} />
      <Table
        caption={messages.settings.parts.people}
        rows={data ?? []}
        keyOf={member => member.id}
        columns={[
          { label: texts.who, cell: member => <Person name={member.name} /> },
          {
            label: texts.access,
            cell: ({ name, access, share, grant }) =>
              share === null ? (
                <span className="row wrap">
                  {texts.kinds[access]}
                  {without(grant?.permission_overrides) > 0 && (
                    <span className="badge amber">{texts.overrides(without(grant?.permission_overrides))}</span>
                  )}
                </span>
              ) : (
                <Select
                  label={texts.levelOf(name)}
                  value={share.permission}
                  options={levelOptions}
                  needs={['BOARDS_SHARE']}
                  onChange={permission => {
                    if (permission !== '')
                      changing.mutate(client.updateBoardShare({ board_id: board.id, share_id: share.id, permission }))
                  }}
                />
              ),
          },
          { label: texts.preset, cell: member => member.preset_name },
          {
            label: texts.lastUsed,
            cell: member => (member.last_used_at === null ? texts.never : <Time at={member.last_used_at} />),
          },
          {
            label: texts.actions,
            isAside: true,
            cell: member =>
              member.access === 'owner' ? null : (
                <Button
                  needs={member.id === me.agent_id ? [] : revoking(member)}
                  className="button quiet"
                  aria-label={texts.revokeOf(member.name)}
                  onClick={() => setRevoked(member)}
                >
                  {texts.revoke}
                </Button>
              ),
          },
        ]}
      />
      <AddAccess board={board} members={data ?? []} onAdded={after} />
      <ImportedNames board={board} />
      {revoked !== undefined && (
        <Confirm
          title={texts.revokeAsk(revoked.name)}
          lead={texts.revokeLead}
          action={texts.revoke}
          onClose={() => setRevoked(undefined)}
          onConfirm={() => after(revoke(board.id, revoked))}
        />
      )}
    </>
  )
}

/** The permissions needed to remove somebody else's access to a board; everybody may leave one. */
const revoking = ({ share, grant }: Member): Needs => [
  ...(share === null ? [] : (['BOARDS_SHARE'] as const)),
  ...(grant === null ? [] : (['AGENTS_GRANT'] as const)),
]

/** Removes all of somebody's access to a board. */
async function revoke(board_id: string, { id, share, grant }: Member): Promise<void> {
  if (share !== null) await client.deleteBoardShare({ board_id, share_id: share.id })
  if (grant !== null) await client.revokeBoardAccess({ board_id, agent_id: id })
}

interface AddAccessProps {
  readonly board: BoardListItem
  readonly members: readonly Member[]
  readonly onAdded: (change: Promise<unknown>) => Promise<void>
}

function AddAccess({ board, members, onAdded }: AddAccessProps) {
  const { data: agents = [] } = useAgents()
  const [chosen, setChosen] = useState('')
  const [way, setWay] = useState<'grant' | (typeof levels)[number]>('grant')
  const adding = useMutation({
    mutationFn: (id: string) =>
      onAdded(
        way === 'grant'
          ? client.grantBoardAccess({ board_id: board.id, agent_id: id })
          : client.createBoardShare({ board_id: board.id, user_id: id, permission: way }),
      ),
    onSuccess: () => setChosen(''),
  })
  const here = new Set(members.map(({ id }) => id))
  return (
    <Form
      draft={`access:${board.id}`}
      className="settings-group"
      onSend={fields => adding.mutateAsync(chosen === '' ? String(fields.get('id')) : chosen)}
    >
      <h2>{texts.add}</h2>
      <div className="row wrap">
        <Choice
          label={texts.agent}
          value={chosen}
          none={texts.otherId}
          options={agents.filter(({ id }) => !here.has(id)).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
        />
        {chosen === '' && <InputField label={texts.id} name="id" required />}
        <Choice
          label={texts.as}
          value={way}
          options={[{ value: 'grant' as const, label: texts.grantAs }, ...levelOptions]}
          onChange={value => setWay(value === '' ? 'grant' : value)}
        />
      </div>
      <Submit sending={adding} needs={[way === 'grant' ? 'AGENTS_GRANT' : 'BOARDS_SHARE']}>
        {texts.add}
      </Submit>
    </Form>
  )
}
