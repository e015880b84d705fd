import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Choice } from '../../components/choice.tsx'
import { Failure } from '../../components/refusal.tsx'
import { useAgents } from '../../data/access.ts'
import { useBoards } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useMe } from '../../data/session.ts'
import { messages } from '../../messages/messages.ts'
import { PermissionTree } from './permission-tree.tsx'

const texts = messages.administration

/** The permissions of an agent on a board, and which layer denies those it lacks (access 2.3). */
export function Rights() {
  const me = useMe()
  const { data: agents = [] } = useAgents()
  const { data: boards = [] } = useBoards()
  const [agentId, setAgentId] = useState(me.agent_id)
  const [boardId, setBoardId] = useState('')
  const { data, error } = useQuery({
    queryKey: keys.service('rights', { agentId, boardId }),
    staleTime: 0,
    queryFn: () =>
      client.getMyPermissions({
        ...(agentId !== me.agent_id && { agent_id: agentId }),
        ...(boardId !== '' && { board_id: boardId }),
      }),
  })
  const layerOf = (name: string) => {
    const layer = data?.denied_by?.[name]
    return layer === undefined ? null : <span className="badge">{texts.deniedBy[layer]}</span>
  }
  return (
    <>
      <div className="row wrap">
        <Choice
          label={texts.agent}
          value={agentId}
          options={agents.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setAgentId}
        />
        <Choice
          label={texts.board}
          value={boardId}
          none={texts.noBoard}
          options={boards.map(({ id, key, name }) => ({ value: id, label: `${key} ${name}` }))}
          onChange={setBoardId}
        />
      </div>
      <Failure error={error} />
      {data !== undefined && (
        <>
          <p className="muted">
            {texts.comesFrom(
              data.agent_name,
              data.preset_name ?? texts.fullControl,
              data.access === null ? null : texts.access[data.access],
            )}
          </p>
          <PermissionTree flags={data.flags} note={layerOf} />
        </>
      )}
    </>
  )
}
